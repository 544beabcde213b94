import { type ToolCallText } from '../../../src/chat/compression/kit/tool-use.js';

/** A tool result and the expectations about its condensed form. */
export interface CorpusEntry {
  readonly name: string;
  /** Kind of result, by which scores are grouped. */
  readonly kind: string;
  readonly tool: ToolCallText;
  readonly text: string;
  /** Texts that the condensed form must contain; undefined for results that must not change. */
  readonly facts: readonly string[] | undefined;
}

export function call(name: string, values: object = {}): ToolCallText {
  return { name, arguments: JSON.stringify(values) };
}

export function shell(command: string): ToolCallText {
  return call('bash', { command });
}

/** Pseudo-random numbers in [0, 1), equal for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Seeded random choices for generated results. */
export class Maker {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = seeded(seed);
  }

  number(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1));
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.number(0, values.length - 1)] ?? values[0];
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.number(0, 15).toString(16)).join('');
  }

  word(): string {
    const parts = Array.from({ length: this.number(2, 4) }, () => this.pick(SYLLABLES));
    return parts.join('');
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  noun(): string {
    return this.pick(NOUNS);
  }

  verb(): string {
    return this.pick(VERBS);
  }

  /** Path of a source file. */
  path(ending: string): string {
    const folder = this.pick(['src', 'lib', 'packages/core', 'apps/admin', 'services/api']);
    return `${folder}/${this.noun()}/${this.verb()}-${this.noun()}.${ending}`;
  }

  /** ISO time, in seconds after a fixed start. */
  time(seconds: number): string {
    return new Date(Date.UTC(2025, 2, 10, 8, 0, 0) + seconds * 1000).toISOString();
  }

  list<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }
}

const SYLLABLES = [
  'ba',
  'co',
  'du',
  'fe',
  'gi',
  'ha',
  'jo',
  'ku',
  'la',
  'me',
  'ni',
  'po',
  'ra',
  'se',
  'ti',
  'vo',
] as const;

const NOUNS = [
  ...['order', 'invoice', 'session', 'cart', 'mailer', 'upload', 'search', 'ledger', 'policy', 'avatar'],
  ...['report', 'queue', 'webhook', 'customer', 'stock', 'refund', 'coupon', 'address', 'profile', 'tenant'],
] as const;

const VERBS = [
  ...['load', 'parse', 'merge', 'render', 'check', 'apply', 'reset', 'format', 'build', 'resolve', 'encode'],
] as const;
