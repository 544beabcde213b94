import { NONE } from '../../data/format.js';
import { h } from '../kit/dom.js';
import { UNNAMED } from '../kit/labels.js';
import { table } from '../kit/table.js';
import { timeListed } from '../kit/ticker.js';
import { emptyState } from '../shell/shell.js';
import { actionText, changeText } from './audit-words.js';

/** What was done latest. */
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
    h('td', null, timeListed(at)),
    h('td', null, actor ?? UNNAMED.key),
    h('td', null, actionText(action)),
    h('td', { class: 'name' }, subject ?? NONE),
    h('td', { class: 'change' }, changeText(before)),
    h('td', { class: 'change' }, changeText(after)),
  );
}
