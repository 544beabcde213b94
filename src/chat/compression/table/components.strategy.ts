import { mostFrequent } from '../kit/most-frequent.js';
import { type Strategy } from '../kit/strategy.js';
import { columnOf, type Columns, listCell } from '../rows/column-cells.js';
import { MIN_ROWS, renderRows, selectRows } from '../rows/row-selection.js';

const START = /^BEGIN:V[A-Z]{1,30}\r?\n/;
/** Group 1: the kind of component that begins. */
const BEGIN = /^BEGIN:(V[A-Z]{1,30})$/;
const PROPERTY = /^([A-Z][A-Z0-9-]{0,60})[:;](.{0,4000})/i;

/** Different properties that all components have. */
const MAX_PROPERTIES = 120;

/**
 * Components of a calendar, or cards (`BEGIN:VEVENT` to `END:VEVENT`; RFC 5545, RFC 6350), as rows; what else there is
 * stays above them.
 */
export const componentsStrategy: Strategy = { rule: 'components', condense: condenseComponents };

/** Undefined for other texts, and for a few components. */
function condenseComponents(text: string): string | undefined {
  if (!START.test(text)) {
    return undefined;
  }
  const lines = text.split(/\r?\n/);
  const kind = mostFrequent(lines.flatMap((line) => BEGIN.exec(line)?.[1] ?? [])) ?? '';
  const others: string[] = [];
  const components: string[][] = [];
  let current: string[] | undefined;
  for (const line of lines) {
    if (line === `BEGIN:${kind}`) {
      current = [];
      components.push(current);
    }
    (current ?? others).push(line);
    if (line === `END:${kind}`) {
      current = undefined;
    }
  }
  const columns = columnsOf(components);
  if (components.length < MIN_ROWS || columns.size > MAX_PROPERTIES) {
    return undefined;
  }
  const rows = renderRows(components.length, selectRows(components.length, columns), (row) =>
    (components[row] ?? []).join('\n'),
  );
  return [...others.filter((line) => line !== ''), ...rows].join('\n');
}

/** Values by property; of one that a component has several times, all of them. */
function columnsOf(components: readonly (readonly string[])[]): Columns {
  const columns = new Map<string, (string | undefined)[]>();
  components.forEach((component, row) => {
    for (const [, name = '', value = ''] of component.flatMap((line) => [PROPERTY.exec(line) ?? []])) {
      if (name !== '' && name !== 'BEGIN' && name !== 'END') {
        listCell(columnOf(columns, name, components.length), row, value);
      }
    }
  });
  return columns;
}
