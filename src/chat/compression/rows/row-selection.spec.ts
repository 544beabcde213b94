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

  it('lists names of which only the first begin at the root', () => {
    const names = NAMES.map((name, row) => (row < 2 ? `/bin/${name}` : name));
    expect(about('name', names)).toBe(`[12 rows in all; name in order: ${names.join(', ')}]`);
  });
});
