import { describe, expect, it } from '@jest/globals';
import { Tokenizer } from '../../src/chat/completion/tokens/tokenizer.js';
import { condense } from '../../src/chat/compression/tool-result-compressor.js';
import { CORPUS } from './corpus/corpus.js';
import { type CorpusEntry } from './corpus/corpus-entry.js';
import { type Score, scoreOf, scoreTable } from './corpus/score.js';

const tokenizer = new Tokenizer();
const scores = CORPUS.map((entry) => scoreOf(entry, tokenizer));
const condensable = scores.filter(({ entry }) => entry.facts !== undefined);

/** Rules that condense the results of each kind, after cleaners and rules for nested texts. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  'git log': ['git_log'],
  diff: ['diff'],
  search: ['search_matches'],
  paths: ['path_list', 'labelled_paths', 'tree'],
  listing: ['listing', 'labelled_paths'],
  records: ['records', 'components', 'yaml_list'],
  table: ['table', 'csv', 'labelled_paths'],
  json: ['json'],
  'json lines': ['json_lines'],
  log: ['log'],
  'test output': ['log'],
  'build output': ['log', 'finding_runs'],
  diagnostics: ['diagnostics'],
  html: ['html'],
  xml: ['xml'],
  blob: ['blob', 'hex_dump'],
};

function sum(of: (score: Score) => number): number {
  return condensable.reduce((total, score) => total + of(score), 0);
}

describe('compression of the corpus', () => {
  it('is measured on enough results of all sizes', () => {
    expect(condensable.length).toBeGreaterThanOrEqual(150);
    expect(Math.min(...CORPUS.map(({ text }) => text.length))).toBeLessThan(1200);
    expect(Math.max(...CORPUS.map(({ text }) => text.length))).toBeGreaterThan(400_000);
  });

  it('saves at least 85 % of the tokens, and 70 % of a result in the mean', () => {
    expect(1 - sum(({ after }) => after) / sum(({ before }) => before)).toBeGreaterThanOrEqual(0.85);
    expect(sum(({ saved }) => saved) / condensable.length).toBeGreaterThanOrEqual(0.7);
  });

  it('keeps at least 99.5 % of the facts', () => {
    expect(sum(({ lost }) => lost.length) / sum(({ entry }) => entry.facts?.length ?? 0)).toBeLessThanOrEqual(
      0.005,
    );
  });

  it.each(CORPUS.filter(({ facts }) => facts === undefined).map((entry) => [entry.name, entry] as const))(
    'leaves %s as it is',
    (_name, { text, tool }: CorpusEntry) => {
      expect(condense(text, tool)).toEqual({ text, rules: [] });
    },
  );

  it.each(condensable.map((score) => [score.entry.name, score] as const))(
    'condenses %s to the same bytes twice, marks it, and does not condense it again',
    (_name, { entry: { text, tool }, text: condensed }) => {
      expect(condense(text, tool).text).toBe(condensed);
      expect(condense(condensed, tool)).toEqual({ text: condensed, rules: [] });
      expect(condensed === text || condensed.startsWith(`[condensed from ${text.length} characters]\n`)).toBe(
        true,
      );
    },
  );

  it('applies the rules for each kind of result', () => {
    const condensed = condensable.filter(({ rules }) => rules.length > 0);
    const taken = condensed.map(({ entry, rules }) => `${entry.kind}: ${rules.at(-1) ?? ''}`);
    const allowed = Object.entries(RULES).flatMap(([kind, rules]) => rules.map((rule) => `${kind}: ${rule}`));
    expect(new Set(taken)).toEqual(new Set(allowed));
  });

  it('has a score for each kind of result', () => {
    expect(scoreTable(scores)).toMatch(/^kind .*\n/);
  });
});
