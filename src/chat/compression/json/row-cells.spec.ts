import { describe, expect, it } from '@jest/globals';
import { type JsonSpan, readJsonSpan } from './json-reader.js';
import { rowCells } from './row-cells.js';

function cellsOf(rows: readonly unknown[]): Readonly<Record<string, unknown>> | undefined {
  const text = JSON.stringify(rows);
  const node = readJsonSpan(text);
  const items = node?.kind === 'array' ? node.items : [];
  const render = ({ start, end }: JsonSpan): string => text.slice(start, end);
  const columns = rowCells(items, render);
  return columns && Object.fromEntries(columns);
}

describe('rowCells', () => {
  it('names members of nested objects, and of the only item of lists, by their paths', () => {
    expect(
      cellsOf([
        { at: { line: 1 }, in: [{ file: 'a' }] },
        { at: { line: 2 }, in: [{ file: 'b' }] },
        { at: null, in: [] },
      ]),
    ).toEqual({
      'at.line': ['1', '2', undefined],
      at: [undefined, undefined, 'null'],
      'in[].file': ['"a"', '"b"', undefined],
      in: [undefined, undefined, '[]'],
    });
  });

  it('leaves an object that few rows have as it is', () => {
    expect(cellsOf([{ id: 1 }, { id: 2, fix: { by: 'x' } }, { id: 3 }])).toEqual({
      id: ['1', '2', '3'],
      fix: [undefined, '{"by":"x"}', undefined],
    });
  });

  it.each([
    ['values that are no objects', [{ id: 1 }, 2]],
    ['too many members', [Object.fromEntries(Array.from({ length: 61 }, (_, key) => [`k${key}`, key]))]],
  ])('reads no columns of %s', (_name, rows) => {
    expect(cellsOf(rows)).toBeUndefined();
  });
});
