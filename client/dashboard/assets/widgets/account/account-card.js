import { send } from '../../data/api.js';
import { clockTime, count } from '../../data/format.js';
import { serverNow } from '../../data/server-clock.js';
import { confirmAction } from '../kit/confirm.js';
import { h } from '../kit/dom.js';
import { factItems } from '../kit/fact-items.js';
import { stateBadge, words } from '../kit/labels.js';
import { redraw } from '../kit/redraw.js';
import { countLink } from '../kit/request-link.js';
import { timeAgo } from '../kit/ticker.js';
import { daysFigure } from './account-days.js';
import { askForAccount } from './account-form.js';
import { testAccount } from './account-test.js';
import { cooldownNote } from './cooldown-note.js';
import { logInByHand } from './login-by-hand.js';
import { showEvidence } from './login-evidence.js';

/**
 * The card of an account.
 *
 * @param {any} account as `/dashboard/api/accounts` shows it
 * @param {() => Promise<void>} refresh called after each change made from the card
 */
export function accountCard(account, refresh) {
  const card = h('li', { class: 'panel account', 'data-entry': account.id });
  refreshers.set(card, refresh);
  fillAccountCard(card, account);
  return card;
}

/** `refresh` by card. */
const refreshers = new WeakMap();

/** Updates a card; keeps the focus and the message of a failed action. */
export function fillAccountCard(card, account) {
  const problem = card.querySelector('.field-error') ?? h('p', { class: 'field-error', role: 'alert' });
  const tested = card.querySelector('.test-result') ?? h('div', { class: 'test-result', role: 'status' });
  card.dataset.state = account.state;
  redraw(card, [
    h(
      'div',
      { class: 'account-head' },
      h('h2', null, account.name),
      stateBadge(account),
      account.state === 'ready' &&
        account.isUntested &&
        h('span', { class: 'tag', title: 'The upstream has not answered it yet' }, 'untested'),
      account.source === 'configuration' && h('span', { class: 'tag' }, 'from the configuration'),
    ),
    trouble(card, account),
    figures(account),
    daysFigure(account.days),
    tested,
    buttons(card, account),
    problem,
  ]);
}

/** Cooldown, failed login and failed opening of sessions, as far as they apply. */
function trouble(card, account) {
  const { id, name, cooldown, loginFailure, nextLoginAt, openFailure } = account;
  return [
    cooldown && cooldownNote(cooldown),
    loginFailure &&
      h(
        'div',
        { class: 'trouble bad' },
        h('strong', null, words(loginFailure.fault)),
        h('span', null, timeAgo(loginFailure.at)),
        h('span', { class: 'cause' }, loginFailure.message),
        h('span', { class: 'cause' }, nextStep(account)),
        nextLoginAt !== undefined &&
          h('span', null, `Next login by itself at ${clockTime(nextLoginAt, serverNow())}`),
        (loginFailure.url || loginFailure.hasScreenshot) &&
          h(
            'button',
            {
              type: 'button',
              class: 'small',
              'data-action': 'evidence',
              onclick: () => void showEvidence(id, name, loginFailure),
            },
            'Show the page of the site',
          ),
      ),
    openFailure !== undefined &&
      h('div', { class: 'trouble bad' }, h('span', null, `No session can be opened: ${words(openFailure)}`)),
  ];
}

/** Whether another login by the gateway would meet the same wall. */
function wantsPerson({ loginFailure, canHandOver }) {
  return canHandOver && loginFailure?.fault === 'blocked';
}

/** Advice to the operator on a failed login. */
function nextStep({ loginFailure: { fault, hasScreenshot }, canHandOver, source }) {
  if (fault === 'invalid_credentials') {
    const place = source === 'configuration' ? 'in the configuration' : 'here';
    return `Correct the credentials ${place}, or log in again if they are right.`;
  }
  if (canHandOver) {
    return fault === 'blocked'
      ? 'The site needs a person: log in by hand.'
      : 'Log in again; if that fails, log in by hand.';
  }
  const look = hasScreenshot ? 'look at the picture' : 'look at the page of the site';
  return `Log in again; if that fails, ${look}.`;
}

function figures({
  name,
  sessions,
  idle,
  leases,
  opening,
  requests,
  failures,
  rateLimits,
  lastUsedAt,
  lastLoginAt,
  isUntested,
  credentialNames,
  holders,
}) {
  const list = [
    ['Sessions', `${count(sessions)}${opening > 0 ? ` + ${count(opening)} opening` : ''}`],
    ['In use / idle', `${count(leases)} / ${count(idle)}`],
    ['Requests', countLink({ account: name }, requests)],
    ['Failures', countLink({ account: name, status: 'failed' }, failures)],
    ['Rate limits', count(rateLimits)],
    ['Last used', lastUsedAt === undefined ? 'never' : timeAgo(lastUsedAt)],
    ['Last login', lastLogin(lastLoginAt, isUntested)],
    ['Credentials', credentialNames.join(', ') || 'none'],
    ...(holders ? [['Used by', users(holders)]] : []),
  ];
  return h('dl', { class: 'facts' }, factItems(list));
}

/** That a session was opened with a key proves nothing of it. */
function lastLogin(at, isUntested) {
  if (at === undefined) {
    return 'never';
  }
  return isUntested ? 'untested' : timeAgo(at);
}

/** The gateways that use an account, of several on one database. */
function users(holders) {
  return (
    holders
      .map(({ nodeId, logName, isThisNode }) => (isThisNode ? 'this gateway' : (logName ?? nodeId)))
      .join(', ') || 'no gateway'
  );
}

function buttons(card, account) {
  const { id, name, state, cooldown, source } = account;
  const path = `/dashboard/api/accounts/${encodeURIComponent(id)}`;
  const act = (action, label, run, props = {}) =>
    h(
      'button',
      {
        type: 'button',
        class: 'small',
        ...props,
        'aria-label': `${label} ${name}`,
        'data-action': action,
        onclick: (event) => void perform(card, event.currentTarget, run),
      },
      label,
    );
  const post = (action) => () => send('POST', `${path}/${action}`);
  return h(
    'div',
    { class: 'box-tools' },
    cooldown && act('clear-cooldown', 'Clear cooldown', post('clear-cooldown')),
    state === 'disabled'
      ? act('enable', 'Enable', post('enable'))
      : act('disable', 'Disable', async () => (await confirmDisable(name)) && post('disable')()),
    state !== 'disabled' &&
      state !== 'login_required' &&
      act('test', 'Test', () => test(card, path), {
        class: state === 'ready' && account.isUntested ? 'small primary' : 'small',
        title: 'Test this account: the upstream answers one word',
        disabled: testing.has(card),
      }),
    act('login', 'Log in again', post('login'), {
      class: state === 'login_required' && !wantsPerson(account) ? 'small primary' : 'small',
    }),
    account.canHandOver &&
      state === 'login_required' &&
      act('hand-over', 'Log in by hand', () => logInByHand(account), {
        class: wantsPerson(account) ? 'small primary' : 'small',
        title: 'Use the page of the site here for steps that need a person: a code, a consent, a challenge',
        disabled: account.isHandedOver === true,
      }),
    source === 'operator' && [
      act('edit', 'Edit credentials', () =>
        askForAccount({ account, credentialFields: account.credentialFields }),
      ),
      act('remove', 'Remove', async () => (await confirmRemove(name)) && send('DELETE', path), {
        class: 'small danger',
      }),
    ],
  );
}

/** Cards whose test is under way: they may be drawn anew meanwhile. */
const testing = new WeakSet();

async function test(card, path) {
  testing.add(card);
  try {
    await testAccount(path, card.querySelector('.test-result'));
  } finally {
    testing.delete(card);
    const button = card.querySelector('[data-action="test"]');
    if (button) {
      button.disabled = false;
    }
  }
}

function confirmDisable(name) {
  return confirmAction({
    title: `Disable ${name}?`,
    text: 'It gets no new requests until you enable it again. Running ones finish.',
    action: 'Disable',
  });
}

function confirmRemove(name) {
  return confirmAction({
    title: `Remove ${name}?`,
    text: 'Its credentials and its login are deleted. This cannot be undone.',
    action: 'Remove',
  });
}

async function perform(card, button, run) {
  const problem = card.querySelector('.field-error');
  const hadFocus = document.activeElement === button;
  problem.textContent = '';
  button.disabled = true;
  try {
    await run();
    await refreshers.get(card)();
  } catch (error) {
    problem.textContent = error.message;
  } finally {
    button.disabled = false;
    // A disabled button loses the focus; where it is gone, the switch is there in any case.
    if (hadFocus && document.activeElement === document.body) {
      const same = card.querySelector(`[data-action="${button.dataset.action}"]`);
      const near = same ?? card.querySelector('[data-action$="able"]');
      // A removed account has taken its card along.
      (card.isConnected ? near : document.getElementById('add'))?.focus();
    }
  }
}
