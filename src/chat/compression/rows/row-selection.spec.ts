import { describe, expect, it } from '@jest/globals';
import { renderRows, selectRows } from './row-selection.js';

const NAMES = [
  'auth',
  'billing',
  'cache',
  'db',
  'email',
  'files',
  'geo',
  'http',
  'jobs',
  'keys',
  'logs',
  'mail',
];

/** The last line about rows with one column. */
function about(name: string, cells: readonly string[]): string | undefined {
  const selection = selectRows(cells.length, new Map([[name, cells]]));
  return renderRows(cells.length, selection, String).at(-1);
}

describe('renderRows', () => {
  it('writes folders that all names have in common once', () => {
    const paths = NAMES.map((name) => `/srv/shop/services/current/${name}`);
    expect(about('path', paths)).toBe(
      `[12 rows in all; path in order, each behind /srv/shop/services/current/: ${NAMES.join(', ')}]`,
    );
  });

  it('lists the names of many rows if they are a small part of these', () => {
    const names = Array.from(
      { length: 400 },
      (_, row) => `lib${NAMES[row % 12]}-${NAMES[(row * 7) % 11]}${row}`,
    );
    const texts = names.map((name) => `what ${name} is for, and where it is used`);
    const lastOf = (columns: ReadonlyMap<string, readonly string[]>): string =>
      renderRows(400, selectRows(400, columns), String).at(-1) ?? '';
    expect(
      lastOf(
        new Map([
          ['name', names],
          ['text', texts],
        ]),
      ),
    ).toContain(`name in order: ${names.join(', ')}`);
    expect(
      lastOf(
        new Map([
          ['column 1', names],
          ['column 2', texts],
        ]),
      ),
    ).toContain(names[200] ?? '');
    expect(lastOf(new Map([['name', names]]))).not.toContain(names[200] ?? '');
  });

  it('lists names of which only the first begin at the root', () => {
    const names = NAMES.map((name, row) => (row < 2 ? `/bin/${name}` : name));
    expect(about('name', names)).toBe(`[12 rows in all; name in order: ${names.join(', ')}]`);
  });

  it('lists the titles and addresses of the hits of a search', () => {
    const titles = NAMES.map((name) => `How we cut the latency of ${name}, and of the pool behind it`);
    const urls = NAMES.map(
      (name, row) => `https://${name}.example/posts/how-to-cut-the-latency-of-a-pool-${row}`,
    );
    const texts = NAMES.map(
      (name) => `We measure ${name} before and after, and say what came of it in the end.`,
    );
    const selection = selectRows(
      12,
      new Map([
        ['title', titles],
        ['url', urls],
        ['text', texts],
      ]),
    );
    expect(renderRows(12, selection, String).at(-1)).toBe(
      `[12 rows in all; url in order: ${urls.join(', ')}; title in order: ${titles.join(' | ')}; distinct values text 12]`,
    );
  });

  it('shows one row where the names say all of the others', () => {
    const versions = NAMES.map((_, row) => `1.${row * 7}.0`);
    const selection = selectRows(
      12,
      new Map([
        ['name', NAMES],
        ['version', versions],
        ['type', NAMES.map(() => 'library')],
      ]),
    );
    const pairs = NAMES.map((name, row) => `${versions[row] ?? ''} ${name}`);
    const rows = NAMES.map((name, row) => `| ${name}  ${versions[row] ?? ''} | library |`);
    expect(renderRows(12, selection, (row) => rows[row] ?? '')).toEqual([
      rows[0],
      '[… 11 rows omitted]',
      `[12 rows in all; in all rows type: library; version and name in order: ${pairs.join(', ')}]`,
    ]);
  });

  it('shows several rows that say more than their names', () => {
    const kinds = NAMES.map(() => 'library');
    const selection = selectRows(
      12,
      new Map([
        ['name', NAMES],
        ['type', kinds],
      ]),
    );
    const shown = renderRows(12, selection, (row) => `${NAMES[row] ?? ''} of ${row * 3}`);
    expect(shown).toHaveLength(7);
    expect(shown[2]).toBe('cache of 6');
  });

  it('lists the addresses of ranked hits once', () => {
    const urls = NAMES.map((name) => `https://${name}.example/`);
    const scores = NAMES.map((_, row) => String(0.9 - row / 100));
    const selection = selectRows(
      12,
      new Map([
        ['rank', NAMES.map((_, row) => String(row + 1))],
        ['url', urls],
        ['score', scores],
      ]),
    );
    const lines = renderRows(12, selection, String);
    expect(lines.at(-2)).toMatch(/^\[url and score of all rows: https:\/\/auth.example\/ 0.9, /);
    expect(lines.at(-1)).toMatch(/distinct values url 12\]$/);
  });

  it('lists name and value of rows that have nothing else, unless the values are amounts', () => {
    const names = NAMES.map((name) => `${name}_mode`);
    const lastTwo = (values: readonly string[]): string[] => {
      const selection = selectRows(
        12,
        new Map([
          ['name', names],
          ['value', values],
        ]),
      );
      return renderRows(12, selection, String).slice(-2);
    };
    const values = NAMES.map((name, row) => (row % 3 === 0 ? String(row * 7) : name.toUpperCase()));
    expect(lastTwo(values)).toEqual([
      `[name and value of all rows: ${names.map((name, row) => `${name} ${values[row]}`).join(', ')}]`,
      '[12 rows in all]',
    ]);
    expect(lastTwo(NAMES.map((_, row) => String(row * 7))).at(-1)).toContain('value: 0 to 77');
  });

  it('shows no large row for the end of a range alone', () => {
    const amounts = Array.from({ length: 40 }, (_, row) => String(100 + ((row * 17) % 40)));
    const keptWith = (text: string): readonly number[] =>
      selectRows(
        40,
        new Map([
          ['amount', amounts],
          ['text', amounts.map((amount) => `${text} ${amount}`)],
        ]),
      ).kept;
    const least = amounts.indexOf(String(Math.max(...amounts.map(Number))));
    expect(keptWith('short')).toContain(least);
    expect(keptWith('long '.repeat(30))).not.toContain(least);
  });

  it('shows a dozen rows at most of those with a slight mark alone', () => {
    const restarts = Array.from({ length: 90 }, (_, row) =>
      row % 4 === 1 ? `${row} (${row % 9}d ago)` : '0',
    );
    const columns = new Map([['RESTARTS', restarts]]);
    const { kept } = selectRows(90, columns);
    expect(kept).toHaveLength(3 + 12 + 2);
  });

  it('describes no keys of dictionaries that each row has others of, but shows the one row with many', () => {
    const tableWith = (rowOf: (column: number) => number): ReadonlyMap<string, (string | undefined)[]> =>
      new Map([
        ['name', NAMES.concat(NAMES.map((name) => `${name}x`))],
        ...Array.from({ length: 24 }, (_, column): [string, (string | undefined)[]] => [
          `deps.${'abcdefghijklmnopqrstuvwx'.charAt(column)}`,
          Array.from({ length: 24 }, (_cell, row) => (row === rowOf(column) ? '1.0' : undefined)),
        ]),
      ]);
    const spread = selectRows(
      24,
      tableWith((column) => column),
    );
    expect(renderRows(24, spread, String).at(-1)).toMatch(/; 24 columns that few rows have\]$/);
    expect(spread.kept).toEqual([0, 1, 2, 22, 23]);
    expect(
      selectRows(
        24,
        tableWith(() => 11),
      ).kept,
    ).toContain(11);
  });

  it('compares how long things took', () => {
    const took = NAMES.map((_, row) => (row === 6 ? '58m12s' : `${row % 3}m${10 + row}s`));
    expect(about('took', took)).toBe('[12 rows in all; took: 0m10s to 58m12s]');
  });
});
