import { type JsonObjectSpan, type JsonSpan } from './json-reader.js';

/** Path of a member within its row, as the columns of rows are named: `user.name`. */
export function memberPath(path: string, key = ''): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Members of rows that the summary of the columns tells, so that they are left out of the rows themselves. */
export class LeftOutMembers {
  private readonly told: ReadonlySet<string>;

  /** @param told columns with one value in all rows */
  constructor(told: readonly string[]) {
    this.told = new Set(told);
  }

  /** @param path of the object */
  has(node: JsonObjectSpan, index: number, path: string): boolean {
    const item = node.items[index];
    return item !== undefined && this.isTold(item, memberPath(path, node.keys[index]));
  }

  private isTold(node: JsonSpan, path: string): boolean {
    if (node.kind === 'array') {
      // Of an array, the columns tell the members of its objects, and of other items their number only.
      const items = `${path}[]`;
      return (
        node.items.length > 0 &&
        this.told.has(items) &&
        node.items.every((item) => item.kind === 'object' && this.areTold(item, items))
      );
    }
    return this.told.has(path) || (node.kind === 'object' && this.areTold(node, path));
  }

  private areTold({ items, keys }: JsonObjectSpan, path: string): boolean {
    return items.length > 0 && items.every((item, index) => this.isTold(item, memberPath(path, keys[index])));
  }
}
