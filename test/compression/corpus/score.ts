import { type Tokenizer } from '../../../src/chat/completion/tokens/tokenizer.js';
import { condense } from '../../../src/chat/compression/tool-result-compressor.js';
import { type CorpusEntry } from './corpus-entry.js';

export interface Score {
  readonly entry: CorpusEntry;
  /** Tokens of the original and of the condensed form. */
  readonly before: number;
  readonly after: number;
  /** Share of the tokens, 0 to 1. */
  readonly saved: number;
  readonly text: string;
  /** Rules that were applied, in order. */
  readonly rules: readonly string[];
  /** Facts that the condensed text does not hold. */
  readonly lost: readonly string[];
}

export function scoreOf(entry: CorpusEntry, tokenizer: Tokenizer): Score {
  const { text, rules } = condense(entry.text, entry.tool);
  const before = tokenizer.countNow(entry.text);
  const after = text === entry.text ? before : tokenizer.countNow(text);
  const lost = (entry.facts ?? []).filter((fact) => !text.includes(fact));
  return {
    entry,
    before,
    after,
    saved: 1 - after / before,
    text,
    rules: rules.map(({ rule }) => rule),
    lost,
  };
}

/**
 * Table with a line for each kind: results, tokens before and after, share saved in total and in the mean, facts
 * kept.
 */
export function scoreTable(scores: readonly Score[]): string {
  const kinds = Map.groupBy(scores, ({ entry }) => entry.kind);
  const condensable = scores.filter(({ entry }) => entry.facts !== undefined);
  const lines = [...kinds, ['all condensable', condensable] as const].map(([kind, of]) => {
    const before = total(of, (score) => score.before);
    const after = total(of, (score) => score.after);
    const facts = total(of, ({ entry }) => entry.facts?.length ?? 0);
    const lost = total(of, (score) => score.lost.length);
    const mean = total(of, ({ saved }) => saved) / of.length;
    const kept = facts === 0 ? '–' : `${facts - lost}/${facts}`;
    return [kind, of.length, before, after, percent(1 - after / before), percent(mean), kept].join(' | ');
  });
  return ['kind | results | tokens | condensed | saved | mean | facts kept', ...lines].join('\n');
}

function total(scores: readonly Score[], of: (score: Score) => number): number {
  return scores.reduce((sum, score) => sum + of(score), 0);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
