import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { recordsStrategy } from './records.strategy.js';

function condense(lines: readonly string[]): string | undefined {
  return recordsStrategy.condense(lines.join('\n'), strategyContext());
}

describe('recordsStrategy', () => {
  it('shows the first, the last and the unusual records, and counts all', () => {
    const record = (number: number): string[] => [
      `-[ RECORD ${number} ]--`,
      `pid   | ${100 + number}`,
      `state | ${number === 20 ? 'locked' : 'active'}`,
    ];
    const condensed = condense(range(1, 30).flatMap(record))?.split('\n');
    expect(condensed).toEqual([
      ...range(1, 3).flatMap(record),
      '[… 16 rows omitted]',
      ...record(20),
      '[… 8 rows omitted]',
      ...range(29, 30).flatMap(record),
      '[30 rows in all; pid: 101 to 130; state: "active" 29, "locked" 1]'.replaceAll('"', ''),
    ]);
  });

  it('reads several fields of one line', () => {
    const record = (number: number): string[] => [
      `  File: a${number}.ts`,
      `  Size: ${number}0\tBlocks: 8`,
      'Links: 1',
    ];
    expect(condense(range(1, 20).flatMap(record))).toContain(
      'Size: 10 to 200; in all rows Blocks: 8, Links: 1',
    );
  });

  it.each([
    ['of MySQL', (number: number) => [`********** ${number}. row **********`, ` Id: ${number}`, ` User: a`]],
    [
      'between blank lines',
      (number: number) => [`Package: p${number}`, 'State: ok', ' more of it', 'Size: 3', ''],
    ],
    [
      'that begin with the same field',
      (number: number) => [`  File: a${number}.ts`, '  Size: 12', 'Links: 1'],
    ],
  ])('takes records %s', (_name, record) => {
    expect(condense(range(1, 20).flatMap(record))).toContain('[20 rows in all');
  });

  it.each([
    [
      'settings with levels',
      range(1, 20).flatMap((number) => [`name: a${number}`, 'spec:', '  port: 80', '  host: b']),
    ],
    [
      'logs of several services',
      range(1, 40).map((number) => `${number % 3 ? 'web' : 'db'} | line ${number}`),
    ],
    ['a few records', range(1, 5).flatMap((number) => [`Package: p${number}`, 'State: ok', 'Size: 3', ''])],
    [
      'records that begin differently',
      range(1, 20).flatMap((number) => [`K${number}: 1`, 'State: ok', 'Size: 3', '']),
    ],
    [
      'records with a field for each',
      range(1, 200).flatMap((number) => ['Id: 1', `K${number}: 1`, 'Size: 3', '']),
    ],
    ['prose', ['Note: it is so.', ...range(1, 20).map(() => 'And it goes on and on.')]],
  ])('leaves %s alone', (_name, lines) => {
    expect(condense(lines)).toBeUndefined();
  });
});
