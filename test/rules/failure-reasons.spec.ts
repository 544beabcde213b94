import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOG } from '../../src/common/errors/error-catalog.js';
import { FAILURE_REASONS, type FailureReason } from '../../src/common/errors/failure-reasons.js';

/** What the dashboard says of reasons; plain JavaScript. */
interface ReasonWords {
  readonly reasonText: (reason: FailureReason) => string;
  readonly reasonHint: (reason: FailureReason) => string | undefined;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const words = new Set(
  globSync(['src/**/*spec.ts', 'test/**/*.ts'], { cwd: root }).flatMap(
    (path) => read(path).match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [],
  ),
);
const WORDS = new URL('../../client/dashboard/assets/data/reasons.js', import.meta.url).href;

/** Status by reason, as tests of real requests write it down. */
const STATUS_OF_TEST = new Map(
  [
    ...read('test/completions/failure-reasons.e2e-spec.ts').matchAll(/reason: '(\w+)',\s+status: (\d+),/g),
  ].map(([, reason = '', status = '']) => [reason, Number(status)]),
);
const STATUS_OF_CODE = new Map(Object.entries(ERROR_CATALOG).map(([code, { status }]) => [code, status]));

describe('the reasons of failures', () => {
  // Programs and alert rules are written against these words.
  it('are each named by a test', () => {
    expect(words.has('upstream_cut')).toBe(true);
    expect(FAILURE_REASONS.filter((reason) => !words.has(reason))).toEqual([]);
  });

  it('are told in docs/failures.md, all of them, in the words of the dashboard', async () => {
    const { reasonText, reasonHint } = (await import(WORDS)) as ReasonWords;
    const rows = [...read('docs/failures.md').matchAll(/^\| `(\w+)` +\| (\d+) +\| (.+?) +\| (.+?) +\|$/gm)];
    const told = rows.map(([, reason, , text, hint]) => [reason, text, hint]);
    expect(told).toEqual(
      FAILURE_REASONS.map((reason) => [reason, reasonText(reason), reasonHint(reason) ?? '–']),
    );
    const statuses = rows.map(([, reason = '', status]) => [reason, Number(status)] as const);
    const known = statuses.map(
      ([reason, status]) =>
        [reason, STATUS_OF_CODE.get(reason) ?? STATUS_OF_TEST.get(reason) ?? status] as const,
    );
    expect(STATUS_OF_TEST.size).toBeGreaterThan(15);
    expect(statuses).toEqual(known);
  });
});
