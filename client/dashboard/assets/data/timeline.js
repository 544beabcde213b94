import { attemptTone, outcomeTone } from './tones.js';

/**
 * One step of a request. Times are milliseconds since the request began; start and end of a moment are equal.
 *
 * @typedef {{ name: string, detail: string, startMs: number, endMs: number,
 *   tone: import('./tones.js').Tone }} Step
 */

/** Threshold for a hold to be shown; shorter ones are the gateway's own processing time. */
const NOTICEABLE_MS = 2;

/**
 * Steps of a request from its arrival to its end, in order.
 *
 * @param {Record<string, any>} entry of the request log
 * @param {{ nowMs?: number, network?: readonly any[] }} [more] `nowMs`: milliseconds since the request began, for a running
 *   one; `network`: its exchanges
 * @returns {{ steps: Step[], lengthMs: number }}
 */
export function decisionTimeline(entry, { nowMs = 0, network = [] } = {}) {
  const isRunning = entry.outcome === 'pending';
  const attempts = entry.attempts ?? [];
  const known = [
    entry.totalMs ?? (isRunning ? nowMs : 0),
    waitedUntil(entry),
    entry.firstTokenMs ?? 0,
    ...attempts.map(({ startedMs, durationMs }) => startedMs + durationMs),
    ...(entry.corrections ?? []).map(({ atMs }) => atMs),
  ];
  const endMs = Math.max(...known);
  const sent = attempts.map((attempt) => sentAt(attempt, entry, network));
  const steps = [
    ...waits(entry, attempts, endMs),
    ...attempts.map((attempt, at) => attemptStep(attempt, at, endMs)),
    ...attempts.flatMap(({ startedMs }, at) => sentSteps(startedMs, sent[at])),
    ...answerSteps(entry, { endMs, sentMs: sent.at(-1) }),
    ...(entry.corrections ?? []).map(correctionStep),
  ].sort((a, b) => a.startMs - b.startMs);
  if (!isRunning) {
    steps.push(moment('Done', entry.finishReason ?? entry.outcome, endMs, outcomeTone(entry.outcome)));
  }
  return { steps, lengthMs: Math.max(endMs, 1) };
}

/**
 * Whether an attempt failed and was retried. A rejected answer is no failed attempt; it has a correction instead.
 *
 * @param {readonly { outcome: string }[]} attempts
 * @param {number} at
 */
export function isRetried(attempts, at) {
  return at < attempts.length - 1 && !['ok', 'cancelled'].includes(attempts[at].outcome);
}

/** Wait for a session from which on a request is slow by it. */
const LONG_WAIT_MS = 1000;

/** How long a request waited for a session; undefined if that is not why it was slow. */
export function longWaitMs({ queuedMs = 0 }) {
  return queuedMs >= LONG_WAIT_MS ? queuedMs : undefined;
}

/** Milliseconds until the gateway could look for a session. */
function preparedAt({ receivedMs = 0, preparedMs = receivedMs }) {
  return preparedMs;
}

/** Milliseconds until the last wait for a session was over. */
function waitedUntil(entry) {
  return preparedAt(entry) + (entry.queuedMs ?? 0);
}

/**
 * Milliseconds until the first exchange of an attempt began: a page that the prompt is typed into takes some time before.
 * Undefined if none did, or it is not kept.
 */
function sentAt({ account, startedMs, durationMs, outcome }, { startedAt }, network) {
  const untilMs = outcome === 'running' ? Infinity : startedMs + durationMs;
  const begun = network
    .filter((exchange) => exchange.account === account)
    .map((exchange) => exchange.startedAt - startedAt)
    .filter((ms) => ms >= startedMs && ms <= untilMs);
  return begun.length > 0 ? Math.min(...begun) : undefined;
}

/** Times without an attempt: for the request itself, in the queue, and between a failed attempt and the next. */
function waits(entry, attempts, endMs) {
  const { receivedMs = 0, queuedMs, outcome, node } = entry;
  const preparedMs = preparedAt(entry);
  const steps = [];
  if (receivedMs >= NOTICEABLE_MS) {
    steps.push(span('Received', 'until its body was read', 0, receivedMs, 'none'));
  }
  if (preparedMs - receivedMs >= NOTICEABLE_MS) {
    steps.push(span('Prepared', 'counted, condensed and checked here', receivedMs, preparedMs, 'none'));
  }
  if (attempts.length > 0) {
    const [{ startedMs }] = attempts;
    steps.push(span('Waited', 'for a free session', Math.min(preparedMs, startedMs), startedMs, 'none'));
  } else if (queuedMs !== undefined) {
    // Of a request at another gateway, an older state may be all that is known.
    const until = outcome === 'pending' && node === undefined ? endMs : waitedUntil(entry);
    steps.push(span('Waited', 'for a free session', preparedMs, until, 'none'));
  }
  attempts.forEach(({ startedMs, durationMs }, at) => {
    const from = startedMs + durationMs;
    if (isRetried(attempts, at)) {
      steps.push(
        span(
          'Retried',
          `pause before attempt ${at + 2} of ${attempts.length}`,
          from,
          Math.max(from, attempts[at + 1].startedMs),
          'warn',
        ),
      );
    }
  });
  return steps.map((step) => ({ ...step, endMs: Math.min(step.endMs, endMs) }));
}

function attemptStep({ account, startedMs, durationMs, outcome }, at, endMs) {
  const until = outcome === 'running' ? endMs : startedMs + durationMs;
  const by = account === undefined ? 'no session could be opened' : `account ${account}`;
  const detail = [by, outcome.replaceAll('_', ' ')].join(' · ');
  return span(`Attempt ${at + 1}`, detail, startedMs, until, attemptTone(outcome));
}

/** The way of a prompt from the session that it was given to the upstream. */
function sentSteps(startedMs, sentMs = startedMs) {
  return sentMs - startedMs >= NOTICEABLE_MS
    ? [span('Sent', 'until the prompt was on its way to the upstream', startedMs, sentMs, 'none')]
    : [];
}

/** Milestones of the last attempt's answer. */
function answerSteps(entry, { endMs, sentMs }) {
  const { attempts = [], acceptedMs, firstAnswerMs, firstTokenMs, outcome } = entry;
  const steps = [];
  if (acceptedMs !== undefined) {
    const from = Math.min(sentMs ?? attempts.at(-1)?.startedMs ?? waitedUntil(entry), acceptedMs);
    steps.push(span('Accepted', 'until the upstream took the prompt', from, acceptedMs, 'info'));
  }
  if (firstAnswerMs !== undefined) {
    const from = Math.min(acceptedMs ?? firstAnswerMs, firstAnswerMs);
    steps.push(span('Answer began', 'until the upstream began to answer', from, firstAnswerMs, 'info'));
    const heldUntil = firstTokenMs ?? (outcome === 'pending' ? endMs : undefined);
    if (heldUntil !== undefined && heldUntil - firstAnswerMs >= NOTICEABLE_MS) {
      steps.push(
        span('Held back', 'checked here before the caller got any of it', firstAnswerMs, heldUntil, 'warn'),
      );
    }
  }
  if (firstTokenMs !== undefined) {
    steps.push(span('First token', 'went to the caller; the rest followed', firstTokenMs, endMs, 'ok'));
  }
  return steps;
}

const CORRECTIONS = {
  regenerated: 'Asked again',
  dropped: 'Dropped',
  passed: 'Let through',
  failed: 'Given up',
};

function correctionStep({ atMs, cause, action, detail }) {
  return moment(CORRECTIONS[action] ?? action, [cause, detail].filter(Boolean).join(': '), atMs, 'warn');
}

function span(name, detail, startMs, endMs, tone) {
  return { name, detail, startMs, endMs: Math.max(startMs, endMs), tone };
}

function moment(name, detail, atMs, tone) {
  return span(name, detail.replaceAll('_', ' '), atMs, atMs, tone);
}
