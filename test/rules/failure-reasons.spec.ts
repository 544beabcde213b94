import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { FAILURE_REASONS } from '../../src/common/errors/failure-reasons.js';
import { failureTable } from '../../tools/docs/failure-docs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const words = new Set(
  globSync(['src/**/*spec.ts', 'test/**/*.ts'], { cwd: root }).flatMap(
    (path) => read(path).match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [],
  ),
);

/** Status by reason, as tests of real requests write it down. */
const STATUS_OF_TEST = new Map(
  [
    ...read('test/completions/failure-reasons.e2e-spec.ts').matchAll(/reason: '(\w+)',\s+status: (\d+),/g),
  ].map(([, reason = '', status = '']) => [reason, Number(status)]),
);

describe('the reasons of failures', () => {
  // Programs and alert rules are written against these words.
  it('are each named by a test', () => {
    expect(words.has('upstream_cut')).toBe(true);
    expect(FAILURE_REASONS.filter((reason) => !words.has(reason))).toEqual([]);
  });

  it('are told in docs/failures.md, all of them, in the words of the dashboard (else: npm run docs)', async () => {
    const document = read('docs/failures.md');
    const rowsOf = (text: string): string[][] =>
      [...text.matchAll(/^\| `(\w+)` +\| (\d+) +\| (.+?) +\| (.+?) +\|$/gm)].map(([, ...cells]) => cells);
    const rows = rowsOf(document);
    expect(rows).toEqual(rowsOf(await failureTable(document)));
    expect(rows.length).toBe(FAILURE_REASONS.length);
    const statuses = rows.map(([reason = '', status]) => [reason, Number(status)] as const);
    const known = statuses.map(([reason, status]) => [reason, STATUS_OF_TEST.get(reason) ?? status] as const);
    expect(STATUS_OF_TEST.size).toBeGreaterThan(15);
    expect(statuses).toEqual(known);
  });
});
