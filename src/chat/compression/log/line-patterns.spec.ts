import { describe, expect, it } from '@jest/globals';
import { examplesOf } from '../../../../test/compression/pattern-examples.js';
import { isRunner, kindOf } from './line-kinds.js';
import {
  ALARM_WORDS,
  BEGUN_LINES,
  FAILURE_LINES,
  LIBRARY_PLACES,
  PASSING_LINES,
  RUNNER_WORDS,
  SUMMARY_LINES,
  WARNING_WORDS,
} from './line-patterns.js';

describe('line patterns', () => {
  it.each(examplesOf({ BEGUN_LINES, PASSING_LINES, FAILURE_LINES, SUMMARY_LINES, LIBRARY_PLACES }))(
    '%s: %s',
    (_table, _name, pattern, example) => {
      expect(example).toMatch(pattern);
    },
  );

  it.each([
    ...ALARM_WORDS.map((word) => [word, 'alarm'] as const),
    ...WARNING_WORDS.map((word) => [word, 'warning'] as const),
  ])('classify a line with %s as %s', (word, kind) => {
    const line = `10:00 the ${word.toUpperCase()} of today`;
    expect(kindOf(line, line, false)).toBe(kind);
  });

  it('recognise tools that run something by a part of their names', () => {
    expect(RUNNER_WORDS.filter((word) => !isRunner(`my${word}er`))).toEqual([]);
    expect(isRunner('fetch')).toBe(false);
  });
});
