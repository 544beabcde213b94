import { send } from '../../data/api.js';
import { count, exact, plural } from '../../data/format.js';
import { h } from '../kit/dom.js';
import { badge } from '../kit/labels.js';
import { requestLink } from '../kit/request-link.js';
import { table } from '../kit/table.js';
import { emptyState, showStale } from '../shell/shell.js';
import { askToRevoke, askToRotate } from './key-end.js';
import { askForLimits, pathOf } from './key-form.js';

const STATES = {
  active: { text: 'active', tone: 'ok', icon: 'check' },
  disabled: { text: 'disabled', tone: 'none', icon: 'stop' },
  expired: { text: 'expired', tone: 'limit', icon: 'clock' },
  revoked: { text: 'revoked', tone: 'none', icon: 'cross' },
};

/** @param {() => unknown} refresh called after a change */
export function keyTable(keys, configured, refresh) {
  if (keys.length === 0 && configured.length === 0) {
    return emptyState('No keys', 'Everybody who reaches the gateway may use and operate it.');
  }
  return table({
    label: 'Table of keys',
    head: ['Name', 'State', 'Role', 'Begins with', 'Limits', 'Last use', 'Actions'],
    rows: [...configured.map(configuredRow), ...keys.map((key) => keyRow(key, refresh))],
  });
}

function configuredRow(name) {
  return row({ state: 'active' }, [
    nameLink(name),
    badge(STATES.active),
    name === 'API_KEY' ? 'operator' : 'caller',
    '–',
    'in the settings',
    '–',
    '',
  ]);
}

function keyRow(key, refresh) {
  return row(key, [
    nameLink(key.name),
    badge(STATES[key.state] ?? STATES.disabled),
    key.role,
    h('code', null, key.secrets.map(({ prefix }) => `${prefix}…`).join(' ') || '–'),
    limitsText(key),
    key.lastUsedAt === null ? 'never' : exact(key.lastUsedAt),
    h('div', { class: 'actions' }, key.state === 'revoked' ? [] : actions(key, refresh)),
  ]);
}

function nameLink(name) {
  return h('strong', null, requestLink({ key: name }, name));
}

function row({ state }, cells) {
  return h(
    'tr',
    { class: 'key-row', dataset: { state } },
    cells.map((cell) => h('td', null, cell)),
  );
}

function limitsText({ requestsPerMinute, concurrentRequests, tokensPerDay, models, priority, expiresAt }) {
  const parts = [
    requestsPerMinute !== null && `${plural(requestsPerMinute, 'request')} a minute`,
    concurrentRequests !== null && `${count(concurrentRequests)} at once`,
    tokensPerDay !== null && `${plural(tokensPerDay, 'token')} a day`,
    models !== null && models.join(', '),
    priority === 'batch' && 'batch',
    expiresAt !== null && `until ${new Date(expiresAt).toISOString().slice(0, 10)} UTC`,
  ].filter((part) => part !== false);
  return parts.join(' · ') || 'none';
}

function actions(key, refresh) {
  const act = (text, run, style = 'small') =>
    h(
      'button',
      {
        type: 'button',
        class: style,
        'aria-label': `${text} ${key.name}`,
        dataset: { name: key.name },
        onclick: () =>
          void run()
            .then(refresh)
            .catch((error) => showStale(error)),
      },
      text,
    );
  return [
    act('Limits', () => askForLimits(key)),
    act(key.isEnabled ? 'Disable' : 'Enable', () =>
      send('PATCH', pathOf(key), { isEnabled: !key.isEnabled }),
    ),
    act('Rotate', () => askToRotate(key)),
    act('Revoke', () => askToRevoke(key), 'small danger'),
  ];
}
