import { describe, expect, it } from '@jest/globals';
import { examplesOf } from '../../../../test/compression/pattern-examples.js';
import { CHANGED_DECLARATIONS, DIFF_HEADERS, GENERATED_FILES } from './diff-patterns.js';
import { REFERENCE_LINES } from './git-log.strategy.js';

const TABLES = { DIFF_HEADERS, GENERATED_FILES, CHANGED_DECLARATIONS, REFERENCE_LINES };

describe('diff and commit patterns', () => {
  it.each(examplesOf(TABLES))('%s: %s', (_table, _name, pattern, example) => {
    expect(example).toMatch(pattern);
  });
});
