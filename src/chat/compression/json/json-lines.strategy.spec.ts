import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { jsonLinesStrategy } from './json-lines.strategy.js';

const condense = (text: string): string | undefined => jsonLinesStrategy.condense(text, strategyContext());

describe('jsonLinesStrategy', () => {
  const line = (number: number): string =>
    JSON.stringify({ level: number === 20 ? 50 : 30, msg: 'served', ms: number % 9 });

  it('keeps the first, last and unusual lines, and lines without JSON', () => {
    const lines = range(1, 60).map((number) => (number === 40 ? 'Segmentation fault' : line(number)));
    expect(condense(lines.join('\n'))).toBe(
      [
        ...lines.slice(0, 3),
        '[… 16 rows omitted]',
        lines[19],
        '[… 19 rows omitted]',
        'Segmentation fault',
        '[… 18 rows omitted]',
        ...lines.slice(-2),
        '[60 rows in all, 1 of them no JSON; level: 30 58, 50 1, missing 1; msg: "served" 59, missing 1; ms: 1 7, 2 7, 3 7, 5 7, 6 7, 4 6, 7 6, 8 6, 0 6, missing 1; no JSON: Segmentation fault 1, missing 59]',
      ].join('\n'),
    );
  });

  it('takes lines among which a program says what it does, from the first on', () => {
    const lines = ['    Checking shop v0.1.0', ...range(1, 60).map(line), '    Finished in 0.49s'];
    const short = condense(lines.join('\n'));
    expect(short?.split('\n').slice(0, 2)).toEqual(lines.slice(0, 2));
    expect(short).toContain('    Finished in 0.49s\n[62 rows in all, 2 of them no JSON; ');
    expect(short).toContain(line(20));
  });

  it('keeps the details below an error where rows hold lines of output', () => {
    const output = (text: string): string => JSON.stringify({ Action: 'output', Output: `${text}\n` });
    const passed = (from: number): string[] =>
      range(from, from + 29).flatMap((number) => [
        output(`=== RUN   Test${number}`),
        output(`    sum_test.go:${number}: summed ${number * 7} numbers`),
        output(`--- PASS: Test${number} (0.00s)`),
      ]);
    const failed = ['--- FAIL: TestSum (0.00s)', '    sum_test.go:9: lacked 41 numbers'].map(output);
    const short = condense([...passed(1), ...failed, ...passed(31), output('FAIL')].join('\n'));
    expect(short).toContain(failed.join('\n'));
    expect(short).toContain('[183 rows in all; ');
    expect(short).not.toContain('Test40');
  });

  it('keeps of output without repetition only what stands at errors', () => {
    const words = [
      'amber',
      'birch',
      'cedar',
      'delta',
      'ember',
      'fjord',
      'grove',
      'haven',
      'inlet',
      'jetty',
      'kelp',
    ];
    const text = (row: number): string =>
      range(0, 4 + (row % 9))
        .map((at) => words[(row * (at + 3) + at * at + Math.floor(row / 7)) % words.length])
        .join(' ');
    const output = range(0, 599).map((row) => JSON.stringify({ log: `${text(row)}\n`, stream: 'stdout' }));
    const failed = ['panic: no table', '  orders of 2024', '  in the first shard'].map((line) =>
      JSON.stringify({ log: `${line}\n`, stream: 'stderr' }),
    );
    const lines = output.toSpliced(300, 0, ...failed).join('\n');
    const short = condense(lines) ?? '';
    expect(short).toContain(failed.join('\n'));
    expect(short.length).toBeLessThan(lines.length / 2);
  });

  it('leaves lines alone that consist of code', () => {
    const text = range(1, 40)
      .map((number) => JSON.stringify({ number, text: `function f${number}() {\n  return ${number};\n}` }))
      .join('\n');
    expect(condense(text)).toBe(text);
  });

  it.each([
    ['a few lines', range(1, 11).map(line).join('\n')],
    ['one value over many lines', JSON.stringify(range(1, 50), undefined, 2)],
    ['text', '{not json}\n'.repeat(50)],
  ])('leaves %s alone', (_name, text) => {
    expect(condense(text)).toBeUndefined();
  });
});
