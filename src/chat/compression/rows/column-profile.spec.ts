import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { type ColumnProfile, profileColumn } from './column-profile.js';
import { ALARM_VALUES } from './unusual-rows.js';

function profile(
  cells: readonly (string | undefined)[],
): Omit<ColumnProfile, 'unusual'> & { unusual: object } {
  const { unusual, ...others } = profileColumn('c', cells);
  return { ...others, unusual: Object.fromEntries(unusual) };
}

/** 40 different words. */
const NAMES = range(0, 39).map((number) => `${'abcdefgh'.charAt(number % 8)}${'ijklm'.charAt(number % 5)}`);

describe('profileColumn', () => {
  it('describes a constant by its value', () => {
    expect(profile(Array.from({ length: 40 }, () => 'ok'))).toEqual({
      name: 'c',
      kind: 'constant',
      summary: 'ok',
      distinct: 1,
      unusual: {},
    });
  });

  it('counts categories, and marks rare ones, more so if they call for attention', () => {
    const cells = range(0, 39).map((row) => (row === 7 ? 'failed' : row === 9 ? 'idle' : 'ok'));
    expect(profile(cells)).toMatchObject({
      kind: 'categories',
      summary: 'ok 38, failed 1, idle 1',
      unusual: { 7: 6, 9: 3 },
    });
  });

  it('counts codes that come again, however many, but not as many sentences', () => {
    const cells = [...range(0, 199).map((row) => `E${100 + (row % 40)}`), 'T201'];
    expect(profile(cells)).toMatchObject({
      kind: 'categories',
      summary: expect.stringMatching(/^E100 5, .*, T201 1$/),
    });
    expect(profile(cells.map((cell) => `${cell} is not allowed`))).toMatchObject({ kind: 'distinct' });
  });

  it('marks a rare word among words and numbers', () => {
    const cells = range(0, 199).map((row) => (row === 77 ? 'off' : row % 2 ? 'on' : String(row * 8)));
    expect(profile(cells)).toMatchObject({ kind: 'distinct', unusual: { 77: 2 } });
  });

  it('marks a message with other words than nearly all', () => {
    const cells = range(0, 199).map((row) =>
      row === 77 ? `reloaded ${row} upstreams` : row % 2 ? `served ${row} requests` : `flushed ${row} keys`,
    );
    expect(profile(cells)).toMatchObject({ kind: 'distinct', unusual: { 77: 2 } });
  });

  it('takes titles for a series although one has a sign in front of it', () => {
    const labelsOf = (odd: string): unknown =>
      profileColumn(
        'name',
        range(1, 40).map((row) => (row === 9 ? odd : `unit-${row}`)),
      ).labels;
    expect(labelsOf('● unit-9')).toBeUndefined();
    expect(labelsOf('odd-9')).toHaveLength(40);
  });

  it('marks a rare shape among a few frequent ones', () => {
    const cells = range(0, 199).map((row) =>
      row === 77 ? `f.go:${row}: bad` : row % 2 ? `== run a${row}` : `-- pass a${row}`,
    );
    expect(profile(cells).unusual).toHaveProperty('77');
  });

  it('describes numbers by their ends, and marks these, outliers and a zero among positive ones', () => {
    const cells = range(0, 39).map((row) => String(row === 20 ? 9000 : row === 30 ? 0 : 100 + row));
    expect(profile(cells)).toMatchObject({
      kind: 'range',
      summary: '0 to 9000',
      distinct: 40,
      unusual: { 20: 4, 30: 7 },
    });
  });

  it.each([
    ['small units', (row: number) => (row === 7 ? '4.2gb' : `${500 + row}.5mb`)],
    ['a currency behind', (row: number) => (row === 7 ? '0.00 €' : `${20 + row}.50 €`)],
  ])('reads amounts with %s', (_name, cell) => {
    expect(profile(range(0, 39).map(cell))).toMatchObject({ kind: 'range', unusual: { 7: 4 } });
  });

  it('marks a cell that is no number among numbers, an empty and a missing one', () => {
    const cells = range(100, 139).map((row) =>
      row === 110 ? 'none yet' : row === 120 ? '-' : row === 130 ? undefined : String(row),
    );
    expect(profile(cells)).toMatchObject({
      summary: '100 to 139, none yet 1, - 1, missing 1',
      unusual: { 10: 3, 20: 3, 30: 3 },
    });
  });

  it('counts the cells of a tenth that are no numbers, and marks one of each value', () => {
    const cells = range(0, 99).map((row) =>
      row % 14 === 9 ? '"unreachable"' : row === 50 ? '"off"' : String(row + 0.5),
    );
    expect(profile(cells)).toEqual({
      name: 'c',
      kind: 'range',
      summary: '0.5 to 99.5, "unreachable" 7, "off" 1',
      distinct: 94,
      unusual: { 0: 1, 9: 3, 50: 3, 99: 1 },
    });
  });

  it('lists the most frequent cells that are no numbers, and counts the other values', () => {
    const cells = range(1, 300).map((row) =>
      row % 30 === 0 ? `n${row}` : row % 30 === 15 ? 'off' : String(row),
    );
    expect(profile(cells).summary).toBe(
      '1 to 299, off 10, n30 1, n60 1, n90 1, n120 1, n150 1, n180 1, n210 1, 3 other values',
    );
  });

  it('tells values apart that begin alike for hundreds of characters', () => {
    const long = 'x'.repeat(500);
    const urls = range(1, 40).map((row) => `https://${long}/${row}`);
    expect(profile(urls)).toEqual({ name: 'c', kind: 'distinct', summary: '', distinct: 40, unusual: {} });
    expect(profile(urls.map((_, row) => `${long}:${row === 20 ? 'broken' : 'v1'}`))).toEqual({
      name: 'c',
      kind: 'categories',
      summary: `${'x'.repeat(80)}… 39, ${'x'.repeat(80)}… 1`,
      distinct: 2,
      unusual: { 20: 3 },
    });
  });

  it('has a word for cells without a text', () => {
    expect(profile(range(1, 40).map((row) => (row % 4 === 0 ? '' : 'ok'))).summary).toBe('ok 30, empty 10');
  });

  it('lists the values that name the rows of a short table', () => {
    expect(profile(NAMES)).toMatchObject({ kind: 'distinct', summary: '', distinct: 40, labels: NAMES });
    expect(profile(range(1, 40).map((number) => `name ${number}`)).labels).toBeUndefined();
  });

  it('lists the names of a longer table if they take few characters', () => {
    const letters = 'abcdefghijklmnop';
    const names = range(0, 199).map((row) => `lib${letters.charAt(row % 16)}${letters.charAt(row / 16)}`);
    expect(profileColumn('Package', names).labels).toEqual(names);
    expect(profileColumn('value', names).labels).toBeUndefined();
    expect(
      profileColumn(
        'Package',
        names.map((name) => name.repeat(4)),
      ).labels,
    ).toBeUndefined();
  });

  it('marks a text of another shape, a long one, and a repeated one', () => {
    const cells = NAMES.map((name, row) => (row === 5 ? '#1!' : row === 6 ? name.repeat(40) : name));
    expect(profile(cells).unusual).toEqual({ 5: 2, 6: 1 });
    expect(profile([...NAMES, 'ai']).unusual).toEqual({ 0: 2, 40: 2 });
  });

  it('marks the one word with another part than all others', () => {
    const ports = range(0, 39).map((row) => `0.0.0.0:${8000 + row}->${row === 23 ? 22 : 8080}/tcp`);
    expect(profile(ports).unusual).toHaveProperty('23');
    expect(profile(ports.with(23, '0.0.0.0:8023->8080/tcp')).unusual).toEqual({});
    expect(profile([...ports.slice(0, 39), '0.0.0.0:22/tcp']).unusual).not.toHaveProperty('23');
  });

  it.each(ALARM_VALUES)('marks a value with %s in it', (word) => {
    const cells = NAMES.map((name, row) => (row === 20 ? `x${word.toUpperCase()}` : `x${name}`));
    // A shape that differs, as of two words, weighs two by itself.
    expect(profileColumn('c', cells).unusual.get(20)).toBeGreaterThanOrEqual(3);
  });

  it('marks no such values where a third of all rows have one', () => {
    const cells = NAMES.map((name, row) => (row % 3 === 0 ? `error ${name}` : `entry ${name}`));
    expect(profile(cells).unusual).toEqual({});
  });
});
