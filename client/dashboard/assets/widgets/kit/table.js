import { h } from './dom.js';

/**
 * A table that scrolls sideways within its panel where there is little room.
 *
 * @param {{ label: string, head: readonly string[], rows: readonly HTMLElement[], numbers?: readonly string[] }} content
 *   `label`: accessible name; `numbers`: those of the heads whose columns hold numbers
 */
export function table({ label, head, rows, numbers = [] }) {
  const heads = head.map((text) =>
    h('th', { scope: 'col', class: numbers.includes(text) ? 'number' : null }, text),
  );
  return h(
    'div',
    { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': label },
    h(
      'table',
      { class: head.length > 4 ? 'plain-table wide' : 'plain-table' },
      h('thead', null, h('tr', null, heads)),
      h('tbody', null, rows),
    ),
  );
}
