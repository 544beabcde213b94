import { describe, expect, it } from '@jest/globals';
import { condenseLog } from './log.strategy.js';
import { passedReports, passingHeadings } from './passing-headings.js';

describe('passingHeadings', () => {
  it('finds the lines above passed tests alone', () => {
    const lines = [
      'Stock',
      '  #count',
      '    ok',
      '    ok',
      'Cart',
      '  #add',
      '    ok',
      '    bad',
      'Mail',
      '  ok',
    ];
    const kinds = lines.map((line) => (line.endsWith('ok') ? 'passing' : 'plain'));
    expect([...passingHeadings(lines, kinds)].toSorted((a, b) => a - b)).toEqual([0, 1, 8]);
    expect(passingHeadings(lines.slice(0, 2), ['plain', 'plain'])).toEqual(new Set());
  });
});

describe('passedReports', () => {
  const FAILED = ['=== FAILURES ===', '____ test_sum ____', 'E   assert 3 == 4'];
  const SUMMARY = [
    '=== short test summary info ===',
    'FAILED test_a.py::test_sum',
    '=== 1 failed in 0.3s ===',
  ];

  function passes(count: number): string[] {
    return Array.from({ length: count }, (_, test) => [
      `____ test_total[${test}] ____`,
      '---- Captured log call ----',
      `INFO     shop:shop.py:4 totalling ${test} lines`,
    ]).flat();
  }

  it('finds the headings of what passed tests printed, and of no others', () => {
    expect(passedReports([...FAILED, '=== PASSES ===', ...passes(2), ...SUMMARY])).toEqual([4, 7]);
  });

  it('has what passed tests printed condensed, and the report of a failed one kept', () => {
    const condensed = condenseLog([...FAILED, '=== PASSES ===', ...passes(60), ...SUMMARY]);
    expect(condensed.split('\n').length).toBeLessThan(24);
    [...FAILED, ...SUMMARY].forEach((line) => expect(condensed).toContain(line));
  });
});
