import { send } from '../../data/api.js';
import { NONE, utcDay } from '../../data/format.js';
import { limitsInUse } from '../../data/key-limits.js';
import { h } from '../kit/dom.js';
import { badge } from '../kit/labels.js';
import { keyLink, requestLink } from '../kit/request-link.js';
import { table } from '../kit/table.js';
import { timeListed } from '../kit/ticker.js';
import { emptyState, showStale } from '../shell/shell.js';
import { askToDisable, askToRevoke, askToRotate } from './key-end.js';
import { askForLimits, pathOf } from './key-form.js';
import { limitMeters } from './limit-meters.js';

const STATES = {
  active: { text: 'active', tone: 'ok', icon: 'check' },
  disabled: { text: 'disabled', tone: 'none', icon: 'stop' },
  expired: { text: 'expired', tone: 'limit', icon: 'clock' },
  revoked: { text: 'revoked', tone: 'none', icon: 'cross' },
};

/** Keys as drawn last, by their names: buttons are kept while they look the same. @type {Map<string, any>} */
let latest = new Map();

/**
 * @param {{ keys: readonly any[], configured: readonly string[], isDivided: boolean }} list of `/dashboard/api/keys`
 * @param {ReadonlyMap<string, number>} usedToday tokens by key
 * @param {() => unknown} refresh called after a change
 */
export function keyTable({ keys, configured, isDivided }, usedToday, refresh) {
  latest = new Map(keys.map((key) => [key.name, key]));
  if (keys.length === 0 && configured.length === 0) {
    return emptyState('No keys', 'Everybody who reaches the gateway may use and operate it.');
  }
  return table({
    label: 'Table of keys',
    isStacked: true,
    head: ['Name', 'State', 'Role', 'Begins with', 'Limits', 'Last used', 'Actions'],
    rows: [
      ...configured.map(configuredRow),
      ...keys.map((key) => {
        const limits = limitsInUse(key, { usedToday: usedToday.get(key.name) ?? 0, isDivided });
        return keyRow(key, limits, refresh);
      }),
    ],
  });
}

function configuredRow(name) {
  return row({ state: 'active' }, [
    nameLink(name),
    badge(STATES.active),
    name === 'API_KEY' ? 'operator' : 'caller',
    NONE,
    'in the settings',
    requestLink({ key: name }, 'requests'),
    '',
  ]);
}

function keyRow(key, limits, refresh) {
  return row(key, [
    nameLink(key.name),
    badge(STATES[key.state] ?? STATES.disabled),
    key.role,
    h('code', null, key.secrets.map(({ prefix }) => `${prefix}…`).join(' ') || NONE),
    [limitMeters(limits), h('div', { class: 'bounds' }, otherLimits(key, limits.length === 0))],
    key.lastUsedAt === null ? 'never' : requestLink({ key: key.name }, timeListed(key.lastUsedAt)),
    h('div', { class: 'actions' }, key.state === 'revoked' ? [] : actions(key, refresh)),
  ]);
}

function nameLink(name) {
  return h('strong', null, keyLink(name));
}

function row({ state }, cells) {
  return h(
    'tr',
    { class: 'key-row', dataset: { state } },
    cells.map((cell) => h('td', null, cell)),
  );
}

/** @param {boolean} isAll whether the key has no other limits */
function otherLimits({ models, priority, expiresAt }, isAll) {
  const parts = [
    models !== null && models.join(', '),
    priority === 'batch' && 'batch',
    expiresAt !== null && `until ${utcDay(expiresAt)} UTC`,
  ].filter((part) => part !== false);
  return parts.join(' · ') || (isAll && 'none');
}

function actions({ name, isEnabled }, refresh) {
  const act = (text, run, style = 'small') => {
    const label = `${text} ${name}`;
    return h(
      'button',
      {
        type: 'button',
        class: style,
        'aria-label': label,
        dataset: { name },
        onclick: () =>
          void run(latest.get(name))
            .then(refresh)
            .catch((error) => showStale(error))
            .finally(() => focusAgain(label)),
      },
      text,
    );
  };
  return [
    act('Limits', askForLimits),
    isEnabled
      ? act('Disable', askToDisable)
      : act('Enable', (key) => send('PATCH', pathOf(key), { isEnabled: true })),
    act('Rotate', (key) => askToRotate(key)),
    act('Revoke', askToRevoke, 'small danger'),
  ];
}

/** Under a dialog the table may have been drawn anew: the button that has opened it, and would get the focus back, is gone. */
function focusAgain(label) {
  if (document.activeElement === document.body) {
    document.querySelector(`[aria-label="${CSS.escape(label)}"]`)?.focus();
  }
}
