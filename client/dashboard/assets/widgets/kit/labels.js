import { runningStage } from '../../data/running-stage.js';
import { outcomeTone } from '../../data/tones.js';
import { h } from './dom.js';
import { icon } from './icons.js';

/**
 * Text, tone and icon of a value. The icon carries the meaning without colours.
 *
 * @typedef {{ text: string, tone: import('../../data/tones.js').Tone, icon: string }} Label
 */

/** Texts of outcomes, in the order of the filter. */
export const OUTCOMES = {
  pending: 'running',
  ok: 'ok',
  client_error: 'client error',
  upstream_error: 'upstream error',
  rate_limited: 'rate limited',
  cancelled: 'cancelled',
  shutdown: 'shutdown',
  crashed: 'crashed',
};

const OUTCOME_ICONS = {
  pending: 'wait',
  ok: 'check',
  client_error: 'alert',
  upstream_error: 'cross',
  rate_limited: 'clock',
  cancelled: 'stop',
  shutdown: 'power',
  crashed: 'power',
};

/** @type {Readonly<Record<string, Label>>} */
const ACCOUNT_STATES = {
  ready: { text: 'ready', tone: 'ok', icon: 'check' },
  logging_in: { text: 'logging in …', tone: 'info', icon: 'wait' },
  cooldown: { text: 'cooling down', tone: 'limit', icon: 'clock' },
  login_required: { text: 'login required', tone: 'bad', icon: 'lock' },
  disabled: { text: 'disabled', tone: 'none', icon: 'stop' },
  elsewhere: { text: 'used by another gateway', tone: 'none', icon: 'wait' },
};

/** Texts of the pool's reasons for and against an account. */
export const CHOICES = {
  chosen: 'chosen: the least busy, of these the one used the longest ago',
  disabled: 'disabled by the operator',
  login_required: 'must be logged in again',
  elsewhere: 'used by another gateway',
  cooldown: 'cooling down after a rate limit',
  half_open: 'its cooldown is over; one request tries it first',
  ramp: 'coming back step by step after a cooldown',
  resting: 'resting after a failed prompt, while another can serve',
  tried_before: 'already tried for this request',
  other_model_limited: 'limited for another model, while another account can serve',
  model_refused: 'not given this model by the upstream',
  no_free_session: 'no free session',
  more_leases: 'was busier',
  used_more_recently: 'was used more recently',
};

/** Names of what has none, by the kind of a table's rows. */
export const UNNAMED = {
  key: '(no key)',
  model: '(refused, model unknown)',
  account: '(no account)',
  client: '(client unknown)',
};

/** Texts of what an answer was rejected for, and of what came of it. */
export const CAUSES = {
  echo: 'The answer repeated a tool result',
  tool_call: 'A tool call could not be used',
  structured_output: 'The answer was not the JSON that was asked for',
};

export const ACTIONS = {
  dropped: 'the connection was dropped, for the caller to retry',
  regenerated: 'the upstream was asked again',
  passed: 'it was let through',
  failed: 'the request was given up',
};

/** @type {Readonly<Record<string, Label & { hint: string }>>} */
const STAGES = {
  waiting: { text: 'waiting', tone: 'none', icon: 'clock', hint: 'It waits for a session' },
  asked: { text: 'asked', tone: 'info', icon: 'wait', hint: 'The upstream has not begun to answer' },
  answering: { text: 'answering', tone: 'info', icon: 'wait', hint: 'The upstream answers' },
};

/** Outcome of a request, or how far it is. */
export function entryBadge(entry) {
  const stage = STAGES[runningStage(entry)];
  return stage ? badge(stage, stage.icon === 'wait' ? 'spin' : '') : outcomeBadge(entry.outcome);
}

/** Explains the badge of a running request. */
export function stageHint(entry) {
  return STAGES[runningStage(entry)]?.hint;
}

export function outcomeBadge(outcome) {
  const text = OUTCOMES[outcome] ?? words(outcome);
  const label = { text, tone: outcomeTone(outcome), icon: OUTCOME_ICONS[outcome] ?? '' };
  return badge(label, outcome === 'pending' ? 'spin' : '');
}

/** State of an account; one that is ready but has no session yet is still logging in. */
export function stateBadge({ state, sessions, opening }) {
  const shown = state === 'ready' && sessions === 0 && opening > 0 ? 'logging_in' : state;
  return badge(
    ACCOUNT_STATES[shown] ?? { text: words(shown), tone: 'none', icon: '' },
    shown === 'logging_in' ? 'spin' : '',
  );
}

/** A state of an account in words. */
export function stateText(state) {
  return ACCOUNT_STATES[state]?.text ?? words(state);
}

export function choiceText(outcome) {
  return CHOICES[outcome] ?? words(outcome);
}

export function correctionText({ cause, action }) {
  return `${CAUSES[cause] ?? words(cause)}; ${ACTIONS[action] ?? words(action)}`;
}

/** @param {Label} label */
export function badge({ text, tone, icon: sign }, iconClass = '') {
  return h('span', { class: `badge tone-${tone}` }, sign ? icon(sign, iconClass) : '', text);
}

/** A wire word as text: `used_more_recently` → `used more recently`. */
export function words(text) {
  return String(text).replaceAll('_', ' ');
}
