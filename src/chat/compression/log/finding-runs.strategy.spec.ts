import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { findingRunsStrategy } from './finding-runs.strategy.js';

const condense = (text: string): string | undefined =>
  findingRunsStrategy.condense(text, strategyContext())?.replaceAll(/\n{2,}/g, '\n');

const TESTS = [
  ...range(1, 30).map((number) => `test part_${number} ... ok`),
  'test result: FAILED. 1 failed',
];

describe('findingRunsStrategy', () => {
  it('shows the findings among the steps of a build by message, and the steps as a log', () => {
    const steps = range(1, 20).map((number) => `[${number}/20] compiling part ${number}`);
    const findings = range(1, 20).map(
      (number) => `deploy/a${number}.yml:${number}:1: [error] trailing spaces`,
    );
    expect(condense([...steps, ...findings, 'Found 20 errors.', ...TESTS].join('\n'))?.split('\n')).toEqual([
      '[20 lines in all]',
      '[1/20] compiling part 1 [20 lines like this]',
      ...steps.slice(1, 3),
      '[… 11 lines omitted]',
      ...steps.slice(-6),
      '[20 findings, each message once with its places]',
      `[error] trailing spaces (20): ${range(1, 20)
        .map((number) => `deploy/a${number}.yml:${number}:1`)
        .join(' ')}`,
      '[32 lines in all]',
      'Found 20 errors.',
      '[… 29 passing lines omitted]',
      ...TESTS.slice(-2),
    ]);
  });

  it('reads findings whose places stand below them, with the source below the last', () => {
    const findings = range(1, 20).flatMap((number) => [
      `warning: unused variable: \`sum${number}\``,
      `  --> src/a.rs:${number}:9`,
      '   |',
      `${number} |     let sum${number} = 0;`,
      '   |         ^^^^',
      '',
    ]);
    const condensed = condense([...findings, ...TESTS].join('\n')) ?? '';
    expect(condensed).toContain(
      '~1 = warning: unused variable: * (20)\nsrc/a.rs ~1 1:9 `sum1`, 2:9 `sum2`, ',
    );
    expect(condensed).toContain('20:9 `sum20`\n[31 lines in all, and 1 blank]\n');
    expect(condensed).not.toContain('let sum20');
  });

  it('leaves findings to a log that have messages of their own, with much source', () => {
    const findings = range(1, 20).flatMap((number) => [
      `warning: ${'so '.repeat(number)}odd`,
      `  --> src/a.rs:${number}:9`,
      ...range(1, 5).map((line) => `${line} |     let sum = total(cart, ${line});`),
      '',
    ]);
    expect(condense([...findings, ...TESTS].join('\n'))).toBeUndefined();
  });

  it('takes neither few findings nor those far from each other', () => {
    const finding = 'src/a.ts:1:1: error: no such name';
    expect(condense([...range(1, 11).map(() => finding), ...TESTS].join('\n'))).toBeUndefined();
    const apart = range(1, 40).flatMap(() => [finding, ...TESTS.slice(0, 13)]);
    expect(condense(apart.join('\n'))).toBeUndefined();
  });
});
