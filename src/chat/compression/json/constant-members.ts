import { type JsonObjectSpan, type JsonSpan } from './json-reader.js';

/** Objects from which on what all of them have is said once, and the longest such value. */
const MIN_OBJECTS = 6;
const MAX_VALUE_CHARS = 40;

/** Share of the text that must be such members. */
const MIN_SHARE = 0.05;

/** How often a member occurs, and its value as long as it is the same. */
interface Member {
  count: number;
  chars: number;
  value: string | undefined;
}

/**
 * Members that have the same value wherever they occur in a value, at any depth: the zeros of a plan, the flags of a tree.
 * They are left out, and said once.
 */
export class ConstantMembers {
  private readonly members = new Map<string, Member>();
  private readonly leftOut = new Map<string, number>();

  private readonly text: string;

  constructor(text: string, node: JsonSpan) {
    this.text = text;
    this.count(node);
    for (const [key, { count, value }] of this.members) {
      if (count < MIN_OBJECTS || value === undefined) {
        this.members.delete(key);
      }
    }
    const chars = [...this.members.values()].reduce((sum, member) => sum + member.chars, 0);
    if (chars < (node.end - node.start) * MIN_SHARE) {
      this.members.clear();
    }
  }

  /** Whether to leave a member out. */
  take({ keys }: JsonObjectSpan, index: number): boolean {
    const key = keys[index] ?? '';
    const isConstant = this.members.has(key);
    if (isConstant) {
      this.leftOut.set(key, (this.leftOut.get(key) ?? 0) + 1);
    }
    return isConstant;
  }

  /** What was left out, and of how many objects; undefined if nothing was. */
  note(colon: string, comma: string): string | undefined {
    const told = [...this.leftOut].map(
      ([key, count]) => `"${key}"${colon}${this.members.get(key)?.value ?? ''} (${count})`,
    );
    return told.length === 0 ? undefined : `[left out of all objects that have it: ${told.join(comma)}]`;
  }

  private count(node: JsonSpan): void {
    if (node.kind !== 'object' && node.kind !== 'array') {
      return;
    }
    node.items.forEach((item, index) => {
      if (node.kind === 'object') {
        this.add(node.keys[index] ?? '', item);
      }
      this.count(item);
    });
  }

  private add(key: string, { kind, start, end }: JsonSpan): void {
    const isShort = kind !== 'object' && kind !== 'array' && end - start <= MAX_VALUE_CHARS;
    const value = isShort ? this.text.slice(start, end) : undefined;
    const member = this.members.get(key) ?? { count: 0, chars: 0, value };
    member.count++;
    member.chars += key.length + end - start + 4;
    member.value = member.value === value ? value : undefined;
    this.members.set(key, member);
  }
}
