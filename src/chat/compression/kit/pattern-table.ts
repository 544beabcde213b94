/** One way to match: its name, its pattern, and a text that it matches by itself within its table. */
export type Alternative = readonly [name: string, pattern: RegExp, example: string];

/** A long regular expression as data: alternatives between two patterns that all of them share. */
export interface PatternTable {
  /** Pattern in front of every alternative, an anchor and indentation for example; none by default. */
  readonly before?: RegExp;
  readonly alternatives: readonly Alternative[];
  /** Pattern behind every alternative; none by default. */
  readonly after?: RegExp;
  /** Flags of the whole expression; none by default. Flags of its parts do not count. */
  readonly flags?: 'i' | 's';
}

/** The table as one regular expression with no capturing groups of its own. To be called once, at load. */
export function compilePattern({ before, alternatives, after, flags }: PatternTable): RegExp {
  const either = alternatives.map(([, pattern]) => pattern.source).join('|');
  return new RegExp(`${before?.source ?? ''}(?:${either})${after?.source ?? ''}`, flags);
}

/** A pattern that finds any of the words, as they are written, also within longer words. */
export function anyWord(words: readonly string[], flags?: 'i'): RegExp {
  return new RegExp(words.map((word) => RegExp.escape(word)).join('|'), flags);
}

/** Parts that follow one another, as one pattern with the groups that they capture. To be called once, at load. */
export function inSequence(parts: readonly RegExp[], flags?: 'i' | 's'): RegExp {
  return new RegExp(parts.map(({ source }) => source).join(''), flags);
}
