import { type JsonObjectSpan, type JsonSpan } from './json-reader.js';

/** Depth of objects beyond which members are not compared. */
const MAX_DEPTH = 8;

/** Length from which on a text is left out although others differ: short values are looked for, and cost little. */
const MIN_LONG = 32;

/**
 * Members with the value that the first of several objects has, at any depth of nested objects. Members that one of the
 * objects lacks are none of them: what is left out would seem to be as in the first.
 */
export class CommonMembers {
  private readonly members = new Set<JsonSpan>();

  private readonly text: string;

  constructor(text: string, objects: readonly JsonSpan[]) {
    this.text = text;
    this.compare(objects, 0);
  }

  has(node: JsonObjectSpan, index: number): boolean {
    const item = node.items[index];
    return item !== undefined && this.members.has(item);
  }

  private compare(nodes: readonly JsonSpan[], depth: number): void {
    const objects = nodes.flatMap((node) => (node.kind === 'object' ? [membersOf(node)] : []));
    if (objects.length < nodes.length || depth > MAX_DEPTH) {
      return;
    }
    objects[0]?.forEach((first, key) => {
      const members = objects.flatMap((object) => object.get(key) ?? []);
      const text = this.textOf(first);
      if (members.length < objects.length) {
        return;
      }
      const alike = members.filter((member) => this.textOf(member) === text);
      const isLong = first.kind === 'string' && first.end - first.start >= MIN_LONG;
      if (isLong || alike.length === members.length) {
        alike.forEach((member) => this.members.add(member));
      } else {
        this.compare(members, depth + 1);
      }
    });
  }

  private textOf({ start, end }: JsonSpan): string {
    return this.text.slice(start, end);
  }
}

function membersOf({ keys, items }: JsonObjectSpan): ReadonlyMap<string, JsonSpan> {
  return new Map(items.map((item, index) => [keys[index] ?? '', item]));
}
