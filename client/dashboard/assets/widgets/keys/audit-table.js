import { h } from '../kit/dom.js';
import { emptyState } from '../shell/shell.js';

/** The latest actions of operators. */
export function auditTable(actions) {
  if (actions.length === 0) {
    return emptyState('Nothing yet', 'Changes of keys, accounts and settings are listed here.');
  }
  return h(
    'div',
    { class: 'table-box', tabindex: '0', role: 'region', 'aria-label': 'Table of actions' },
    h(
      'table',
      { class: 'key-table' },
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          ['When', 'Who', 'What', 'To', 'Before', 'After'].map((text) => h('th', { scope: 'col' }, text)),
        ),
      ),
      h('tbody', null, actions.map(auditRow)),
    ),
  );
}

function auditRow({ at, actor, action, subject, before, after }) {
  return h(
    'tr',
    null,
    h('td', null, new Date(at).toLocaleString()),
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
