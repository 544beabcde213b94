import { filledLines } from '../kit/filled-lines.js';
import { indentOf } from '../kit/indent.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { columnOf, type Columns, listCell } from '../rows/column-cells.js';
import { MIN_ROWS, renderRows, selectRows } from '../rows/row-selection.js';

/** A key and its value, each item of a list in front of them: `  - name: web`, `    ports:`. */
const FIELD = /^([ ]{0,80}(?:- {1,4}){0,4})(["']?[\w./@][\w./@ -]{0,119}["']?):(?: {1,8}(.{0,4000}))?$/;

/** An item of a list that is a value alone, and whatever may stand in YAML. */
const ITEM = /^ {0,80}- /;

/** What tells a list that an API has made from a file with settings: `kind: List`, `kind: PodList`. */
const KIND = /^kind: \w{0,60}List$/;

/** Share of the lines that must be fields or items at a glance, and of those that must belong to one list. */
const MIN_SHARE = 0.7;
const MIN_LISTED = 0.8;

/** Fields of an item, and the most different ones of all. */
const MIN_FIELDS = 3;
const MAX_FIELDS = 200;

/** Share of the items that must have a field for it to be a common one, and of the fields that must be common. */
const COMMON_SHARE = 0.8;
const MIN_COMMON = 0.75;

interface Field {
  readonly line: string;
  /** Keys from the outermost one, joined by dots; empty for a line without a key. */
  readonly path: string;
  readonly value: string;
}

/**
 * Lists in YAML of items with the same fields, as Kubernetes prints them (`kubectl get -o yaml`): rows of one table. Other
 * YAML may be a file with settings, and stays as it is.
 */
export const yamlListStrategy: Strategy = {
  rule: 'yaml_list',
  condense: (text) => {
    if (!mayBe(text, MIN_SHARE, (line) => FIELD.test(line) || ITEM.test(line))) {
      return undefined;
    }
    const lines = filledLines(text);
    const list = readList(lines);
    const columns = list && columnsOf(list.items);
    if (!columns || !areAlike(list.items, columns)) {
      return undefined;
    }
    const { before, items, behind } = list;
    const selection = selectRows(items.length, columns);
    const constant = new Set(
      selection.profiles.filter(({ kind }) => kind === 'constant').map(({ name }) => name),
    );
    const rows = renderRows(items.length, selection, (row) => textOf(items[row] ?? []), {
      brief: (row) =>
        textOf((items[row] ?? []).filter(({ path }, index) => index === 0 || !constant.has(path))),
    });
    return [...before, ...rows, ...behind].join('\n');
  },
};

interface YamlList {
  readonly before: readonly string[];
  readonly items: readonly (readonly Field[])[];
  readonly behind: readonly string[];
}

/** The outermost list with the lines around it; undefined if it is not most of them. */
function readList(lines: readonly string[]): YamlList | undefined {
  const first = lines.findIndex((line) => ITEM.test(line));
  const indent = indentOf(lines[first]);
  const isInList = (line: string): boolean =>
    indentOf(line) > indent || (indentOf(line) === indent && ITEM.test(line));
  const length = lines.slice(first).findIndex((line) => !isInList(line));
  const end = length < 0 ? lines.length : first + length;
  const [before, behind] = [lines.slice(0, first), lines.slice(end)];
  const isOfApi = [...before, ...behind].some((line) => KIND.test(line));
  if (first < 0 || !isOfApi || end - first < lines.length * MIN_LISTED) {
    return undefined;
  }
  const items: string[][] = [];
  for (const line of lines.slice(first, end)) {
    if (indentOf(line) === indent) {
      items.push([]);
    }
    items.at(-1)?.push(line);
  }
  return items.length < MIN_ROWS ? undefined : { before, items: items.map(readItem), behind };
}

function readItem(lines: readonly string[]): Field[] {
  const parents: { indent: number; key: string }[] = [];
  return lines.map((line) => {
    const [whole, start = '', key = '', value = ''] = FIELD.exec(line) ?? [];
    // A value alone may stand as far to the left as the name of its list.
    const indent = whole === undefined ? indentOf(line) + 1 : start.length;
    while ((parents.at(-1)?.indent ?? -1) >= indent) {
      parents.pop();
    }
    if (key !== '') {
      parents.push({ indent, key });
    }
    const path = parents.map((parent) => parent.key).join('.');
    return { line, path, value: whole === undefined ? line.trim().replace(/^- /, '') : value };
  });
}

function textOf(fields: readonly Field[]): string {
  return fields.map(({ line }) => line).join('\n');
}

/** The values by field, those of inner lists together; undefined if there are too many fields. */
function columnsOf(items: readonly (readonly Field[])[]): Columns | undefined {
  const columns = new Map<string, (string | undefined)[]>();
  for (const [row, item] of items.entries()) {
    for (const { path, value } of item.filter((field) => field.value !== '')) {
      listCell(columnOf(columns, path, items.length), row, value);
    }
    if (columns.size > MAX_FIELDS) {
      return undefined;
    }
  }
  return columns;
}

/** Whether most fields are those that most items have. */
function areAlike(items: readonly (readonly Field[])[], columns: Columns): boolean {
  const counts = [...columns.values()].map((cells) => cells.filter((cell) => cell !== undefined).length);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const common = counts.filter((count) => count >= items.length * COMMON_SHARE);
  return common.length >= MIN_FIELDS && common.reduce((sum, count) => sum + count, 0) >= all * MIN_COMMON;
}
