import { describe, expect, it } from '@jest/globals';
import { differenceLines, RerunReport } from './rerun-report.js';

const CHANGED_TEXT = { path: 'text', then: 'one', now: 'two' };

describe('RerunReport', () => {
  it('says of each request what became of it, and counts requests by decision', () => {
    const report = new RerunReport();
    const calls = [0, 1].map((at) => ({ path: `toolCalls[${at}].name`, then: 'a', now: 'b' }));
    expect(report.add({ id: 'req_1', differences: [] })).toEqual(['req_1  as before']);
    expect([report.hasRun, report.isSame]).toEqual([true, true]);
    expect(report.add({ id: 'req_2', differences: [CHANGED_TEXT] })).toEqual([
      'req_2  1 decided differently',
      '  text',
      '    - "one"',
      '    + "two"',
    ]);
    report.add({ id: 'req_3', differences: [...calls, CHANGED_TEXT] });
    report.add({ id: 'req_4', differences: [], failure: 'It broke.' });
    expect(report.isSame).toBe(false);
    expect(report.summary()).toEqual([
      '4 requests: 1 as before, 3 different.',
      '',
      'decided differently  requests  e.g.',
      'text                 2         req_2',
      'toolCalls[].name     1         req_3',
      'could not be run     1         req_4',
    ]);
  });

  it('has nothing to compare where all requests were left out', () => {
    const report = new RerunReport();
    expect(report.add({ id: 'req_1', differences: [], isLeftOut: true })[0]).toMatch(/^req_1 {2}left out: /);
    expect([report.hasRun, report.isSame]).toEqual([false, true]);
    expect(report.summary()).toEqual(['1 requests: 0 as before, 0 different, 1 left out.']);
  });
});

describe('differenceLines', () => {
  it('shows long values from where they begin to differ', () => {
    const same = 'x'.repeat(1000);
    const [, then, now] = differenceLines([{ path: 'text', then: `${same}old`, now: `${same}new${same}` }]);
    expect(then).toBe(`    - …${'x'.repeat(30)}old"`);
    expect(now).toMatch(/^ {4}\+ …x{30}newx+… \(2005 characters\)$/);
  });

  it('tells a missing value, and how many differences are not shown', () => {
    const many = Array.from({ length: 7 }, (_, at) => ({ path: `notes[${at}]`, now: 'n' }));
    const lines = differenceLines(many);
    expect(lines.slice(0, 3)).toEqual(['  notes[0]', '    - nothing', '    + "n"']);
    expect(lines.at(-1)).toBe('  and 2 more');
    expect(differenceLines(many, Infinity)).toHaveLength(21);
  });
});
