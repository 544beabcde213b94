import { count, duration } from '../../data/format.js';
import { serverNow } from '../../data/server-clock.js';
import { sum } from '../../data/sum.js';
import { decisionTimeline } from '../../data/timeline.js';
import { attemptTone } from '../../data/tones.js';
import { h } from '../kit/dom.js';
import { badge, choiceText, words } from '../kit/labels.js';
import { barLine } from './bar-line.js';

/** What the colours of the bars stand for. */
const LEGEND = {
  none: 'in the gateway',
  info: 'upstream at work',
  ok: 'answered',
  warn: 'held back, asked again or refused',
  limit: 'rate limited',
  bad: 'failed',
};

/** Accounts of one reason that are all named; of more, so many are. */
const MOST_NAMES = 8;
const FEW_NAMES = 5;

/** The steps of a request with bars on a common time scale. @param {{ entry: any, network: readonly any[] }} request */
export function decisionTrace({ entry, network }) {
  const { steps, lengthMs } = decisionTimeline(entry, { nowMs: serverNow() - entry.startedAt, network });
  return h(
    'section',
    null,
    h('h3', null, 'Timeline'),
    legendOf(steps),
    h(
      'ol',
      { class: 'trace' },
      steps.map((step) => traceStep(step, lengthMs)),
    ),
  );
}

/** Of the colours that there are. */
function legendOf(steps) {
  const tones = new Set(steps.map(({ tone }) => tone));
  const meanings = Object.entries(LEGEND).filter(([tone]) => tones.has(tone));
  return h(
    'p',
    { class: 'trace-legend quiet' },
    meanings.map(([tone, text]) =>
      h('span', null, h('span', { class: 'bar' }, h('i', { class: `tone-${tone}` })), text),
    ),
  );
}

function traceStep({ name, detail, startMs, endMs, tone }, lengthMs) {
  return barLine({
    name,
    detail,
    tone,
    at: `at ${duration(startMs)}`,
    took: endMs === startMs ? '' : duration(endMs - startMs),
    start: startMs / lengthMs,
    share: (endMs - startMs) / lengthMs,
  });
}

/** Every attempt at the upstream with its message, and why each account was or was not chosen for it. */
export function attemptsAndAccounts({ attempts = [], considered = [] }) {
  if (attempts.length === 0 && considered.length === 0) {
    return undefined;
  }
  return h(
    'section',
    null,
    h('h3', null, 'Attempts and accounts'),
    attempts.length > 0 && h('ol', { class: 'attempts' }, attempts.map(attemptItem)),
    consideredList(considered),
  );
}

function attemptItem(attempt, at, attempts) {
  const { detail, considered, cooldownMs } = attempt;
  const isAsBefore = considered && isSame(considered, attempts[at - 1]?.considered);
  return h(
    'li',
    null,
    attemptLine(attempt, at),
    detail && h('p', { class: 'quiet' }, detail),
    cooldownMs !== undefined &&
      h('p', { class: 'quiet' }, `The account then cooled down for ${duration(cooldownMs)}.`),
    isAsBefore
      ? h('p', { class: 'quiet' }, 'The accounts were considered as before.')
      : consideredList(considered),
  );
}

function isSame(considered, before) {
  return JSON.stringify(considered) === JSON.stringify(before);
}

function attemptLine({ account, sessionId, startedMs, durationMs, outcome }, at) {
  return h(
    'div',
    { class: 'line' },
    h('span', { class: 'quiet' }, `${at + 1}.`),
    h('strong', null, account ?? 'no account'),
    badge({ text: words(outcome), tone: attemptTone(outcome), icon: '' }),
    h(
      'span',
      { class: 'quiet' },
      `from ${duration(startedMs)}, ${outcome === 'running' ? 'still running' : `for ${duration(durationMs)}`}`,
    ),
    sessionId && h('span', { class: 'quiet mono' }, `session ${sessionId}`),
  );
}

/** Why each account was chosen or not, the chosen one first: of many accounts, most have the same reason. */
function consideredList(considered = []) {
  const reasons = [...Map.groupBy(considered, ({ outcome }) => outcome)];
  reasons.sort(([a], [b]) => Number(b === 'chosen') - Number(a === 'chosen'));
  return (
    considered.length > 0 && [
      h('h4', { class: 'sub' }, 'Accounts considered'),
      h(
        'ul',
        { class: 'considered' },
        reasons.map(([outcome, accounts]) => h('li', null, reasonLine(outcome, accounts))),
      ),
    ]
  );
}

/** @param accounts those with a name, and at most one with the number of all `others` in its place */
function reasonLine(outcome, accounts) {
  const size = sum(accounts.map(({ others = 1 }) => others));
  const named = accounts.filter(({ account }) => account !== undefined);
  const shown = named.slice(0, size > MOST_NAMES ? FEW_NAMES : MOST_NAMES);
  const left = size - shown.length;
  const names = [
    shown.map(({ account }, at) => [at > 0 && ', ', h('bdi', null, account)]),
    left > 0 && [shown.length > 0 && ', ', `${count(left)} more`],
  ];
  const reason = (more = '') =>
    h('span', { class: outcome === 'chosen' ? '' : 'quiet' }, choiceText(outcome), more);
  if (size === 1) {
    return [h('strong', null, names), ' ', reason()];
  }
  return shown.length === 0 ? reason(` (${count(size)})`) : [reason(` (${count(size)}): `), names];
}
