import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { FAILURE_REASONS } from '../../src/common/errors/failure-reasons.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const words = new Set(
  globSync(['src/**/*spec.ts', 'test/**/*.ts'], { cwd: root }).flatMap(
    (path) => readFileSync(join(root, path), 'utf8').match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [],
  ),
);

describe('the reasons of failures', () => {
  // Programs and alert rules are written against these words.
  it('are each named by a test', () => {
    expect(words.has('upstream_cut')).toBe(true);
    expect(FAILURE_REASONS.filter((reason) => !words.has(reason))).toEqual([]);
  });
});
