import { describe, expect, it } from '@jest/globals';
import { profileColumn } from './column-profile.js';
import { rowNames } from './row-names.js';

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'haven', 'inlet', 'jetty'];
const MADE_UP = WORDS.map((word, row) => `sg-6e${word.charAt(0)}${row}f67c1cc${word.charAt(1)}4a`);

function listsOf(columns: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const cells = new Map(Object.entries(columns));
  return rowNames(
    [...cells].map(([name, values]) => profileColumn(name, values)),
    cells,
  ).lists;
}

function withEach(...columns: readonly (readonly string[])[]): string {
  return WORDS.map((_, row) => columns.map((cells) => cells[row]).join(' ')).join(', ');
}

describe('rowNames', () => {
  it('prefers names to made-up ids, and puts these beside them', () => {
    expect(listsOf({ GroupId: MADE_UP, GroupName: WORDS })).toEqual([
      `GroupId and GroupName in order: ${withEach(MADE_UP, WORDS)}`,
    ]);
  });

  it.each(['key', 'number', 'version'])('puts the %s of rows beside their names', (code) => {
    const codes = WORDS.map((_, row) => String(97 - row * 3));
    expect(listsOf({ [code]: codes, title: WORDS })).toEqual([
      `${code} and title in order: ${withEach(codes, WORDS)}`,
    ]);
  });

  it.each([
    ['counted', WORDS.map((_, row) => String(row + 1))],
    ['long', WORDS.map((word) => word.repeat(12))],
    ['missing in a row', WORDS.map((_, row) => (row === 4 ? '' : `a-${row * 7}`))],
    ['null in a row', WORDS.map((_, row) => (row === 4 ? 'null' : `"a-${row * 7}"`))],
    ['mostly the same', WORDS.map((_, row) => (row < 7 ? '1.0' : `1.${row}`))],
  ])('lists names alone if the codes are %s', (_what, codes) => {
    expect(listsOf({ key: codes, title: WORDS })).toEqual([`title in order: ${WORDS.join(', ')}`]);
  });

  it('takes the codes of no others for rows that are counted', () => {
    const counted = WORDS.map((_, row) => String(row + 1));
    const owners = WORDS.map((_, row) => String(97 - row * 3));
    expect(listsOf({ id: counted, owner_id: owners, name: WORDS })).toEqual([
      `name in order: ${WORDS.join(', ')}`,
    ]);
  });

  it('lists files whose names end in a hash, beside what these are called', () => {
    const files = WORDS.map((word, row) => `assets/${word}-4f${row}a2b1c9d.js`);
    expect(listsOf({ file: files, name: WORDS })).toEqual([
      `file in order: ${files.join(', ')}`,
      `name in order: ${WORDS.join(', ')}`,
    ]);
  });

  it('lists titles although few words come again with other numbers', () => {
    const subjects = WORDS.map((_, row) => `${row % 2 === 0 ? 'Invoice' : 'Report'} ${row * 31}`);
    expect(listsOf({ from: WORDS, 'headers[Subject]': subjects })).toEqual([
      `headers[Subject] in order: ${subjects.join(', ')}`,
    ]);
  });

  it('leaves addresses out that only hold ids, where the rows have names', () => {
    const urls = MADE_UP.map((id) => `https://notes.example/${id}`);
    expect(listsOf({ url: urls, 'Name.title[].plain_text': WORDS })).toEqual([
      `Name.title[].plain_text in order: ${WORDS.join(', ')}`,
    ]);
    expect(listsOf({ url: urls, id: MADE_UP })).toEqual([`id in order: ${MADE_UP.join(', ')}`]);
  });
});
