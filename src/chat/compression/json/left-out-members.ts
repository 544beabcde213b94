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
      return (
        node.items.length > 0 &&
        this.told.has(`${path}[]`) &&
        node.items.every((item) => item.kind === 'object' && this.isTold(item, `${path}[]`))
      );
    }
    return (
      this.told.has(path) ||
      (node.kind === 'object' &&
        node.items.length > 0 &&
        node.items.every((item, index) => this.isTold(item, memberPath(path, node.keys[index]))))
    );
  }
}
