import { filledLines } from '../kit/filled-lines.js';
import { shorten } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { type RowLines } from '../rows/all-rows.js';
import { rowLines } from '../rows/row-lines.js';
import { MIN_ROWS, renderRows, selectRows } from '../rows/row-selection.js';
import { isMostlyCode } from './json-code.js';
import { jsonColumns } from './json-columns.js';
import { keptOutput } from './json-output.js';
import { type JsonSpan, readJsonSpan, skipJsonSpace } from './json-reader.js';
import { rowCells } from './row-cells.js';

/** Length in characters up to which a kept line stays whole. */
const MAX_LINE = 2000;

/** The same for a value in a line of values. */
const MAX_CELL = 400;

/** JSON lines, one value on each line: rows of one table. Lines without JSON are always shown as unusual. */
export const jsonLinesStrategy: Strategy = {
  rule: 'json_lines',
  condense: (text) => {
    if (!mayBe(text, 0.6, (line) => /^[ \t]{0,8}[{[]/.test(line))) {
      return undefined;
    }
    const lines = filledLines(text);
    if (lines.length < MIN_ROWS) {
      return undefined;
    }
    const nodes = lines.map(readLine);
    const values = nodes.filter((node) => node !== undefined);
    if (values.length < lines.length * 0.8) {
      return undefined;
    }
    const code = nodes.filter((node, row) => node && isMostlyCode(lines[row] ?? '', node));
    if (code.length > lines.length / 2) {
      return text;
    }
    const { columns, items } = jsonColumns(nodes, (row) => lines[row] ?? '');
    const selection = selectRows(lines.length, columns, items);
    const kept = [...new Set([...selection.kept, ...keptOutput(columns)])].sort((a, b) => a - b);
    const render = (row: number): string => shorten(lines[row] ?? '', MAX_LINE, 200);
    const others = lines.length - values.length;
    const note = others > 0 ? `, ${others} of them no JSON` : '';
    return renderRows(lines.length, { ...selection, kept }, render, {
      note,
      lines: () => (others > 0 ? undefined : valueLines(lines, values, kept)),
    }).join('\n');
  },
};

/** All lines as values under the names of their members; undefined if they are no objects. */
function valueLines(
  lines: readonly string[],
  values: readonly JsonSpan[],
  kept: readonly number[],
): RowLines | undefined {
  const columns = rowCells(values, ({ start, end }, row) =>
    shorten(lines[row]?.slice(start, end) ?? '', MAX_CELL, 40),
  );
  const named = (name: string, value: string): string => `"${name}":${value}`;
  return (
    columns && rowLines(columns, { comma: ',', named, namesCodes: true, isKept: (row) => kept.includes(row) })
  );
}

function readLine(line: string): JsonSpan | undefined {
  const start = line.trimStart().charAt(0);
  const node = start === '{' || start === '[' ? readJsonSpan(line) : undefined;
  return node && skipJsonSpace(line, node.end) >= line.length ? node : undefined;
}
