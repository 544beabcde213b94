import { describe, expect, it } from '@jest/globals';
import { CORPUS } from '../../../test/compression/corpus/corpus.js';
import { type CorpusEntry } from '../../../test/compression/corpus/corpus-entry.js';
import { type Strategy } from './kit/strategy.js';
import { readToolUse } from './kit/tool-use.js';
import { CLEANERS, LINE_FORMATS, PATH_FORMATS, STRUCTURED_FORMATS } from './strategy-order.js';
import { condense } from './tool-result-compressor.js';

const FORMATS = [...STRUCTURED_FORMATS, ...PATH_FORMATS, ...LINE_FORMATS];

/** By rule: a result of the corpus that this rule alone must take. */
const SAMPLES: Readonly<Record<string, string>> = {
  terminal: 'recorded pytest-color',
  blob: 'a picture in JSON',
  json: 'pods of a cluster as JSON',
  json_lines: 'a service log of JSON lines',
  hex_dump: 'a dump of a program',
  diff: 'recorded git-show',
  git_log: 'recorded git-log',
  html: 'a list of products',
  xml: 'a site map',
  listing: 'recorded ls-recursive',
  tree: 'a tree of folders',
  diagnostics: 'recorded tsc',
  search_matches: 'recorded grep-few',
  path_list: 'recorded find-src',
  labelled_paths: 'counts of a search',
  components: 'cards of contacts',
  records: 'sessions of a database, a field on each line',
  yaml_list: 'objects of a cluster as YAML',
  table: 'recorded ps',
  csv: 'sales as CSV',
  finding_runs: 'findings between a build and its tests',
  log: 'npm install',
};

/** Rules that would take a sample as well if their turn came; why the order between these matters. */
const OVERLAPS: Readonly<Record<string, readonly string[]>> = {
  json: ['log'],
  json_lines: ['log'],
  hex_dump: ['log'],
  diff: ['log'],
  git_log: ['log'],
  html: ['xml'],
  xml: ['log'],
  listing: ['labelled_paths', 'log'],
  tree: ['log'],
  diagnostics: ['finding_runs', 'log'],
  search_matches: ['log'],
  path_list: ['log'],
  labelled_paths: ['log'],
  components: [],
  records: ['log'],
  yaml_list: ['log'],
  table: ['log'],
  csv: ['log'],
  finding_runs: ['log'],
  log: [],
};

function sampleOf(rule: string): CorpusEntry {
  const sample = CORPUS.find(({ name }) => name === SAMPLES[rule]);
  if (!sample) {
    throw new Error(`The rule ${rule} has no sample here that the corpus knows.`);
  }
  return sample;
}

describe('strategy order', () => {
  it('asks every strategy once', () => {
    const rules = [...CLEANERS, ...FORMATS].map(({ rule }) => rule);
    expect(rules.toSorted()).toEqual(Object.keys(SAMPLES).toSorted());
  });

  it.each([...CLEANERS, ...FORMATS].map((strategy) => [strategy.rule, strategy] as const))(
    'lets %s take its own sample',
    (rule, strategy) => {
      const { text, tool } = sampleOf(rule);
      const applied = condense(text, tool).rules.map((each) => each.rule);
      expect(CLEANERS.includes(strategy) ? applied : applied.slice(-1)).toContain(rule);
    },
  );

  it.each(FORMATS.map((strategy, at) => [strategy.rule, FORMATS.slice(at + 1)] as const))(
    'puts %s before the strategies that would take its sample, too',
    (rule, later) => {
      const { text, tool } = sampleOf(rule);
      const takes = (strategy: Strategy): boolean =>
        strategy.condense(text, { use: readToolUse(tool), nested: (inner) => inner }) !== undefined;
      expect(later.filter(takes).map((strategy) => strategy.rule)).toEqual(OVERLAPS[rule]);
    },
  );
});
