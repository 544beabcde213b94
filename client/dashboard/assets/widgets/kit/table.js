import { h } from './dom.js';

/**
 * A table that scrolls sideways within its panel where there is little room.
 *
 * @param {{ label: string, head: readonly string[], rows: readonly HTMLElement[], numbers?: readonly string[],
 *   isStacked?: boolean }} content
 *   `label`: accessible name; `numbers`: those of the heads whose columns hold numbers; `isStacked`: each row becomes a card
 *   there instead, so that nothing that can be pressed is out of sight
 */
export function table({ label, head, rows, numbers = [], isStacked = false }) {
  const heads = head.map((text) =>
    h('th', { scope: 'col', class: numbers.includes(text) ? 'number' : null }, text),
  );
  const kinds = ['plain-table', isStacked ? 'stacked' : head.length > 4 && 'wide'];
  if (isStacked) {
    rows.forEach((row) => [...row.cells].forEach((cell, at) => (cell.dataset.head = head[at])));
  }
  return h(
    'div',
    { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': label },
    h(
      'table',
      { class: kinds.filter(Boolean).join(' ') },
      h('thead', null, h('tr', null, heads)),
      h('tbody', null, rows),
    ),
  );
}
