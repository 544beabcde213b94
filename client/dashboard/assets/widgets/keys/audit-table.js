import { exact } from '../../data/format.js';
import { h } from '../kit/dom.js';
import { table } from '../kit/table.js';
import { emptyState } from '../shell/shell.js';

/** The latest actions of operators. */
export function auditTable(actions) {
  if (actions.length === 0) {
    return emptyState('Nothing yet', 'Changes of keys, accounts and settings are listed here.');
  }
  const head = ['When', 'Who', 'What', 'To', 'Before', 'After'];
  return table({ label: 'Table of actions', head, rows: actions.map(auditRow) });
}

function auditRow({ at, actor, action, subject, before, after }) {
  return h(
    'tr',
    null,
    h('td', null, exact(at)),
    h('td', null, actor ?? '(no key)'),
    h('td', null, action),
    h('td', null, subject ?? '–'),
    h('td', { class: 'change' }, changeText(before)),
    h('td', { class: 'change' }, changeText(after)),
  );
}

/** The properties that say something. */
function changeText(value) {
  const shown = Object.entries(value ?? {}).filter(([, one]) => one !== null);
  return (
    shown
      .map(([name, one]) => `${name}: ${typeof one === 'object' ? JSON.stringify(one) : one}`)
      .join(', ') || '–'
  );
}
