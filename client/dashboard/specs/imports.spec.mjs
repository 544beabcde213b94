import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ASSETS = join(import.meta.dirname, '..', 'assets');

/** Room of a file: `pages`, `data`, or a group of widgets such as `widgets/entry`. */
function roomOf(path) {
  const [top, group] = path.split('/');
  return top === 'widgets' ? `${top}/${group}` : top;
}

/** Pairs of rooms, importing → imported, of all scripts. */
function roomImports() {
  const files = readdirSync(ASSETS, { recursive: true }).filter((name) => name.endsWith('.js'));
  return files.flatMap((file) =>
    [...readFileSync(join(ASSETS, file), 'utf8').matchAll(/^import .*? from '(\.[^']+)'/gms)]
      .map(([, specifier]) => relative(ASSETS, join(ASSETS, dirname(file), specifier)))
      .map((target) => [roomOf(file), roomOf(target)])
      .filter(([from, to]) => from !== to),
  );
}

describe('imports of the client', () => {
  const pairs = roomImports();

  it('point from pages to widgets to data', () => {
    const floor = (room) => ['pages', 'widgets', 'data', 'uplot'].indexOf(room.split('/')[0]);
    expect(pairs.length).toBeGreaterThan(10);
    expect(pairs.filter(([from, to]) => floor(from) < 0 || floor(to) < floor(from))).toEqual([]);
  });

  it('never go both ways between two groups of widgets', () => {
    const known = new Set(pairs.map((pair) => pair.join(' → ')));
    expect(pairs.filter(([from, to]) => known.has(`${to} → ${from}`))).toEqual([]);
  });
});
