import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { searchMatchesStrategy } from './search-matches.strategy.js';

const condense = (text: string): string | undefined =>
  searchMatchesStrategy.condense(text, strategyContext('grep'));

describe('searchMatchesStrategy', () => {
  const expected = [
    '[3 matches in 2 files]',
    'src/a.ts (2 matches):',
    ' 3: import x;',
    ' 12: x();',
    'src/b.ts: 7: y = x;',
  ].join('\n');

  it.each([
    ['lines with path and number', ['src/a.ts:3:import x;', 'src/a.ts:12:  x();', 'src/b.ts:7:y = x;']],
    ['lines under headings', ['src/a.ts', '3:import x;', '12:  x();', '', 'src/b.ts', '7:y = x;']],
  ])('groups %s by file', (_name, lines) => {
    expect(condense(lines.join('\n'))).toBe(expected);
  });

  it('keeps the lines around matches word for word, each file once', () => {
    const lines = [
      'src/a.ts-2-  indented',
      'src/a.ts:3:import x;',
      'src/a.ts-4-more of 2025-12-31',
      '--',
      'src/a.ts:12:  x();',
      '--',
      'src/b.ts:7:y = x;',
    ];
    expect(condense(lines.join('\n'))).toBe(
      [
        '[3 matches in 2 files]',
        ...['src/a.ts', '2-  indented', '3:import x;', '4-more of 2025-12-31', '12:  x();'],
        ...['src/b.ts', '7:y = x;'],
      ].join('\n'),
    );
  });

  it('tells files with numbered names from the lines around matches', () => {
    const file = (number: number): string[] => [
      `${number}-create.sql`,
      ...['1-begin;', `2:  token_${number} text`, '3-commit.now', ''],
    ];
    expect(condense(['007-a.sql', ...file(8).slice(1), ...range(7, 9).flatMap(file)].join('\n'))).toBe(
      [
        '[4 matches in 4 files]',
        ...['007-a.sql', ...file(8).slice(1, -1)],
        ...[7, 8, 9].flatMap((number) => file(number).slice(0, -1)),
      ].join('\n'),
    );
  });

  it('cuts very long lines among those around matches', () => {
    const lines = range(1, 3).flatMap((number) => [
      `a.js:${number * 2}:${'x'.repeat(900)}`,
      `a.js-${number * 2 + 1}-${'y'.repeat(90_000)}z`,
    ]);
    const condensed = condense(lines.join('\n'));
    expect(condensed).toContain(`2:${'x'.repeat(900)}\n3-${'y'.repeat(980)}[… 89001 characters omitted]yy`);
    expect(condensed).toMatch(/yz$/);
  });

  it('counts the lines around many matches', () => {
    const lines = range(1, 120).flatMap((number) => [
      `src/a${number % 4}.ts:${number * 3}:hit ${number}`,
      `src/a${number % 4}.ts-${number * 3 + 1}-behind it`,
    ]);
    expect(condense(lines.join('\n'))).toMatch(
      /^\[120 matches in 4 files; 120 lines around them omitted\]\n/,
    );
  });

  it('keeps some of many matches of each file, declarations first, and lists the line numbers of the others', () => {
    const line = (number: number): string =>
      `src/long.ts:${number}:${number === 70 ? 'export function call() {' : `  call(${number});`}`;
    expect(condense(range(1, 120).map(line).join('\n'))).toBe(
      [
        '[120 matches in 1 file]',
        'src/long.ts (120 matches):',
        ...range(1, 11).map((number) => ` ${number}: call(${number});`),
        ' 70: export function call() {',
        ` [… 108 more matches omitted, lines ${range(12, 31).join(' ')} …]`,
      ].join('\n'),
    );
  });

  it('shows equal lines of a file once', () => {
    expect(
      condense(
        range(1, 9)
          .map((number) => `a.py:${number}:pass`)
          .join('\n'),
      ),
    ).toBe(
      [
        '[9 matches in 1 file]',
        'a.py (9 matches):',
        ' 1: pass',
        ` [… 8 more matches omitted, lines ${range(2, 9).join(' ')}]`,
      ].join('\n'),
    );
  });

  it.each([
    [
      'times of day',
      range(10, 40)
        .map((minute) => `10:${minute}:00 INFO done`)
        .join('\n'),
    ],
    [
      'reports of a compiler',
      range(1, 30)
        .map((number) => `src/a.c:${number}:5: error: no`)
        .join('\n'),
    ],
    [
      'addresses',
      range(1, 30)
        .map((number) => `https://a.example:80${number}: up`)
        .join('\n'),
    ],
  ])('does not take %s for matches', (_name, text) => {
    expect(condense(text)).toBeUndefined();
  });

  it('tells constants within functions as it does other uses', () => {
    const lines = range(1, 120).map(
      (number) => `src/a${number % 10}.ts:${number}:  const v${number} = await load(key, 1);`,
    );
    expect(condense(lines.join('\n'))?.split('\n')[1]).toBe(
      '~1 = 120 like this: const v1 = await load(key, 1);',
    );
  });

  it('tells matches that are alike but for names once, and those with an odd word or number as they are', () => {
    const call = (number: number): string =>
      `  this.lease${number} = await pool.acquire(shard, ${number === 60 ? 86_400 : 10 + (number % 9)});`;
    const lines = range(1, 120).map((number) =>
      number === 44
        ? `src/a4.ts:44:  void pool.acquire(shard, 0); // never released`
        : `src/a${number % 10}.ts:${number}:${call(number)}`,
    );
    const condensed = condense(lines.join('\n'))?.split('\n') ?? [];
    expect(condensed.slice(0, 3)).toEqual([
      '[120 matches in 10 files]',
      `~1 = 118 like this: ${call(1).trim()}`,
      'src/a1.ts (12 matches): ~1 1 11 21 31 41 51 61 71 81 91 101 111',
    ]);
    expect(condensed).toContain(' 44: void pool.acquire(shard, 0); // never released');
    expect(condensed).toContain(` 60: ${call(60).trim()}`);
  });
});
