import { compact, count, duration, NONE, plural } from '../../data/format.js';
import { reasonText } from '../../data/reasons.js';
import { isRetried, longWaitMs } from '../../data/timeline.js';
import { fill, h } from '../kit/dom.js';
import { entryBadge, stageHint, words } from '../kit/labels.js';
import { timeListed, timeSince } from '../kit/ticker.js';

/** Cells of the first line in order: names, labels and what each holds. Their widths are in `styles/entries.css`. */
const COLUMNS = [
  ['time', 'Time', ({ startedAt }) => timeListed(startedAt)],
  ['outcome', 'Outcome', entryBadge],
  ['model', 'Model', ({ model }) => model ?? NONE],
  ['account', 'Account', ({ account }) => account ?? NONE],
  ['caller', 'Caller', caller],
  ['total', 'Duration', total],
  ['first', 'First token', ({ firstTokenMs }) => duration(firstTokenMs)],
  ['tokens', 'Tokens in / out', tokens],
  ['finish', 'Finish', finish],
];
/** Cells of the second line, which share its width. */
const SUBJECT = [
  ['about', '', about],
  ['flags', '', flags],
];
/** Cells with their label in the card layout of narrow screens; the values of others explain themselves. */
const LABELLED = new Set(['total', 'first', 'tokens', 'finish']);
/** Cells whose end is cut where the name does not fit, whatever its direction. */
const NAMES = new Set(['model', 'account']);

/** Header with the names of the columns; hidden in the card layout. */
export function entryHeader() {
  return h(
    'div',
    { class: 'entry-row entry-head', 'aria-hidden': 'true' },
    COLUMNS.map(([name, label]) =>
      h('span', { class: `cell ${name}` }, name === 'tokens' ? 'Tokens' : label),
    ),
  );
}

/** Fills a row with the cells of an entry. */
export function fillEntryRow(row, entry) {
  const cell = ([name, label, contentOf]) =>
    h(
      'span',
      { class: `cell ${name}`, title: title(name, entry), dir: NAMES.has(name) && 'auto' },
      LABELLED.has(name) && h('span', { class: 'cell-label' }, `${label} `),
      contentOf(entry),
    );
  return fill(row, COLUMNS.map(cell), h('span', { class: 'subject' }, SUBJECT.map(cell)));
}

function title(name, entry) {
  const { model, account, key, client, usage, excerpt } = entry;
  if (name === 'tokens' && usage) {
    return `${plural(usage.promptTokens, 'token')} in, ${plural(usage.completionTokens, 'token')} out`;
  }
  const callers = [key && `key ${key}`, client].filter(Boolean).join(' · ');
  return { outcome: stageHint(entry), model, account, caller: callers, about: excerpt }[name];
}

/** Name of the key, where there are keys, and the client's own name. */
function caller({ key, client }) {
  return [
    key && h('span', { class: 'key' }, key),
    key && client && ' · ',
    client ?? (key ? undefined : NONE),
  ];
}

function total({ outcome, startedAt, totalMs }) {
  return outcome === 'pending' ? timeSince(startedAt) : duration(totalMs);
}

function tokens({ usage }) {
  return usage ? `${compact(usage.promptTokens)} / ${compact(usage.completionTokens)}` : NONE;
}

function finish({ finishReason, error, status }) {
  if (finishReason !== undefined) {
    return words(finishReason);
  }
  return error
    ? words(error.reason ?? error.code)
    : status === undefined || status < 400
      ? NONE
      : String(status);
}

/** Subject of the request: the cause of a failure, and the last message of the user. */
function about({ error, excerpt, method, path, operation }) {
  const said = excerpt ?? (operation === undefined ? `${method} ${path}` : undefined);
  return [
    error && h('strong', { class: 'cause' }, reasonText(error.reason ?? error.code)),
    error && said !== undefined && h('span', null, '·'),
    said !== undefined && h('bdi', null, said),
  ];
}

/** Remarkable facts of a request, a short label each. */
function entryFlags(entry) {
  const { attempts = [], condensed = [], corrections = [], toolCalls = [], repeatedCall, stream } = entry;
  const echoes = corrections.filter(({ cause }) => cause === 'echo').length;
  const retries = attempts.filter((_attempt, at) => isRetried(attempts, at)).length;
  const mended = toolCalls.filter(({ repairs }) => repairs.length > 0).length;
  const waitedMs = longWaitMs(entry);
  return [
    waitedMs !== undefined && `waited ${duration(waitedMs)}`,
    retries > 0 && `retried ×${count(retries)}`,
    condensed.length > 0 && `condensed ×${count(condensed.length)}`,
    echoes > 0 && (echoes > 1 ? `echo ×${count(echoes)}` : 'echo'),
    corrections.length > echoes && 'asked again',
    toolCalls.length > 0 && plural(toolCalls.length, 'tool call'),
    mended > 0 && 'mended',
    repeatedCall && `repeated ×${count(repeatedCall.times)}`,
    stream === false && 'not streamed',
  ].filter((flag) => flag !== false && flag !== undefined);
}

function flags(entry) {
  const { turn } = entry;
  return [
    turn > 1 && [h('span', { class: 'tag turn' }, `turn ${count(turn)}`), ' '],
    entryFlags(entry).map((flag) => [h('span', { class: 'tag' }, flag), ' ']),
  ];
}
