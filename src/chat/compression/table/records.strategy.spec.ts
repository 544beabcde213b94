import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { recordsStrategy } from './records.strategy.js';

const SHELL = { command: './report' };

function condense(lines: readonly string[], values: object = SHELL): string | undefined {
  return recordsStrategy.condense(lines.join('\n'), strategyContext('bash', values));
}

describe('recordsStrategy', () => {
  it('shows the first, the last and the unusual records, and counts all', () => {
    const record = (number: number): string[] => [
      `-[ RECORD ${number} ]--`,
      `pid   | ${100 + number}`,
      `state | ${number === 20 ? 'locked' : 'active'}`,
    ];
    const condensed = condense(range(1, 130).flatMap(record))?.split('\n');
    expect(condensed).toEqual([
      ...range(1, 3).flatMap(record),
      '[… 16 rows omitted]',
      ...record(20),
      '[… 108 rows omitted]',
      ...range(129, 130).flatMap(record),
      '[130 rows in all; pid: 101 to 230; state: "active" 129, "locked" 1]'.replaceAll('"', ''),
    ]);
  });

  it('reads several fields of one line', () => {
    const record = (number: number): string[] => [
      `  File: a${number}.ts`,
      `  Size: ${number}0\tBlocks: 8`,
      'Links: 1',
    ];
    expect(condense(range(1, 130).flatMap(record))).toContain(
      'Size: 10 to 1300; in all rows Blocks: 8, Links: 1',
    );
  });

  it('shows a line for each of a few records with many fields, and says once what most have', () => {
    const record = (number: number): string[] => [
      `Pattern has ${number === 4 ? 9 : 7} elements`,
      `\tfamily: "F${number}"`,
      ...['style', 'weight', 'width', 'slant', 'outline', 'scalable'].map(
        (name) => `\t${name}: ${number === 3 && name === 'slant' ? 110 : 0}`,
      ),
      ...range(1, 9).map((at) => `  ${at}000: ${'0'.repeat(40)}`),
      '',
    ];
    const lines = condense(range(1, 6).flatMap(record))?.split('\n') ?? [];
    expect(lines).toHaveLength(8);
    expect(lines[0]).toContain(
      '[in each row family; unless it says otherwise heading: Pattern has 7 elements (5)',
    );
    expect(lines.slice(1, 5)).toEqual([
      '"F1"',
      '"F2"',
      '"F3" | slant: 110',
      '"F4" | heading: Pattern has 9 elements',
    ]);
    expect(lines.at(-1)).toMatch(/^\[6 rows in all/);
  });

  it.each([
    ['of MySQL', (number: number) => [`********** ${number}. row **********`, ` Id: ${number}`, ` User: a`]],
    [
      'of assignments',
      (number: number) => [`    id = ${number}`, 'status = paid', '    at = 2026-03-10', ''],
    ],
    [
      'below a line that is no field',
      (number: number) => [`${number}00-${number}ff r--p 00:00`, 'Size: 4 kB', 'Rss: 0 kB'],
    ],
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
    [
      'a few small records',
      range(1, 5).flatMap((number) => [`Package: p${number}`, 'State: ok', 'Size: 3', '']),
    ],
    [
      'records that begin differently',
      range(1, 20).flatMap((number) => [`K${number}: 1`, 'State: ok', 'Size: 3', '']),
    ],
    [
      'records with a field for each',
      range(1, 200).flatMap((number) => ['Id: 1', `K${number}: 1`, 'Size: 3', '']),
    ],
    [
      'settings in sections',
      range(1, 20).flatMap((number) => [`[program:${number}]`, 'command=run', 'user=a', 'start=1', '']),
    ],
    ['prose', ['Note: it is so.', ...range(1, 20).map(() => 'And it goes on and on.')]],
  ])('leaves %s alone', (_name, lines) => {
    expect(condense(lines)).toBeUndefined();
  });

  it('takes assignments for settings unless a command printed them', () => {
    const lines = range(1, 20).flatMap((number) => [`id = ${number}`, 'user = a', '']);
    expect(condense(lines)).toBeDefined();
    expect(condense(lines, {})).toBeUndefined();
  });
});
