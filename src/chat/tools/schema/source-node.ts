import { parsedJson } from '../../../common/text/parsed-json.js';

/**
 * A JSON text as a tree that keeps the source of every value, so that unchanged values stay as they were written, with
 * the digits of long integers and `1.0`, and with the order of members.
 */
export type SourceNode = ScalarNode | ArrayNode | ObjectNode;

export interface ScalarNode {
  readonly kind: 'string' | 'number' | 'boolean' | 'null';
  /** The source: JSON text. */
  readonly text: string;
}

export interface ArrayNode {
  readonly kind: 'array';
  readonly text: string;
  readonly items: readonly SourceNode[];
}

export interface ObjectNode {
  readonly kind: 'object';
  readonly text: string;
  readonly members: readonly ObjectMember[];
}

export interface ObjectMember {
  readonly key: string;
  readonly value: SourceNode;
}

/** Levels of nesting beyond which a text is not parsed. */
const MAX_DEPTH = 128;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WHITESPACE = /[ \t\n\r]*/y;

/** Parses a JSON text. @returns undefined if it is unsound or nested too deep */
export function parseSourceNode(text: string): SourceNode | undefined {
  return parsedJson(text) === undefined ? undefined : new SoundJsonParser(text).read();
}

export function stringNode(value: string): ScalarNode {
  return { kind: 'string', text: JSON.stringify(value) };
}

export function arrayNode(items: readonly SourceNode[]): ArrayNode {
  return { kind: 'array', items, text: `[${items.map(({ text }) => text).join(',')}]` };
}

export function objectNode(members: readonly ObjectMember[]): ObjectNode {
  const text = members.map(({ key, value }) => `${JSON.stringify(key)}:${value.text}`).join(',');
  return { kind: 'object', members, text: `{${text}}` };
}

/** The characters of a string; the JSON text of any other value. */
export function plainText(node: SourceNode): string {
  return node.kind === 'string' ? (JSON.parse(node.text) as string) : node.text;
}

/** Parses a text that is known to be sound JSON. */
class SoundJsonParser {
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {}

  read(): SourceNode | undefined {
    try {
      return this.value();
    } catch (error) {
      if (error instanceof TooDeepError) {
        return undefined;
      }
      throw error;
    }
  }

  private value(): SourceNode {
    this.skip(WHITESPACE);
    const start = this.at;
    switch (this.text[start]) {
      case '{': {
        const members = this.list('}', () => this.member());
        return { kind: 'object', members, text: this.text.slice(start, this.at) };
      }
      case '[': {
        const items = this.list(']', () => this.value());
        return { kind: 'array', items, text: this.text.slice(start, this.at) };
      }
      case '"':
        this.skipString();
        return { kind: 'string', text: this.text.slice(start, this.at) };
      case 't':
        return this.literal('boolean', 4);
      case 'f':
        return this.literal('boolean', 5);
      case 'n':
        return this.literal('null', 4);
      case undefined:
      default:
        this.skip(NUMBER);
        return { kind: 'number', text: this.text.slice(start, this.at) };
    }
  }

  private list<T>(close: string, read: () => T): T[] {
    if (++this.depth > MAX_DEPTH) {
      throw new TooDeepError();
    }
    const found: T[] = [];
    this.at++;
    this.skip(WHITESPACE);
    while (this.text[this.at] !== close) {
      found.push(read());
      this.skip(WHITESPACE);
      if (this.text[this.at] === ',') {
        this.at++;
        this.skip(WHITESPACE);
      }
    }
    this.at++;
    this.depth--;
    return found;
  }

  private member(): ObjectMember {
    const start = this.at;
    this.skipString();
    const key = JSON.parse(this.text.slice(start, this.at)) as string;
    this.skip(WHITESPACE);
    this.at++;
    return { key, value: this.value() };
  }

  private skipString(): void {
    const { text } = this;
    let end = text.indexOf('"', this.at + 1);
    while (isEscaped(text, end)) {
      end = text.indexOf('"', end + 1);
    }
    this.at = end + 1;
  }

  private literal(kind: 'boolean' | 'null', length: number): ScalarNode {
    const start = this.at;
    this.at += length;
    return { kind, text: this.text.slice(start, this.at) };
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    pattern.test(this.text);
    this.at = pattern.lastIndex;
  }
}

/** Whether an odd number of backslashes stands before an offset. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') {
    first--;
  }
  return (at - first) % 2 === 1;
}

class TooDeepError extends Error {}
