import { CANCELLED } from '../../data/filters.js';
import { bytes, count, exact, NONE } from '../../data/format.js';
import { copyButton } from '../kit/copy.js';
import { h } from '../kit/dom.js';
import { factItems } from '../kit/fact-items.js';
import { requestLink } from '../kit/request-link.js';
import { bodyView } from './body-view.js';
import { statusBadge, timesText } from './exchange-bars.js';

const NO_BODY = {
  loading: 'Loading …',
  known: 'No body is kept.',
  failed: 'The body could not be loaded.',
};

/**
 * One exchange with the upstream: facts, headers and bodies of both sides.
 *
 * @param {any} record
 * @param {{ close: () => void, bodies: keyof typeof NO_BODY }} options `bodies`: whether the bodies are in the
 *   record
 */
export function exchangeDetail(record, { close, bodies }) {
  return h(
    'div',
    { class: 'stack' },
    h(
      'div',
      { class: 'panel-head' },
      h('h2', null, `${record.method} exchange`),
      copyButton('Copy JSON', () => JSON.stringify(record, null, 2)),
      h('button', { type: 'button', class: 'small', onclick: close }, 'Close'),
    ),
    h('p', { class: 'mono' }, record.url),
    record.error !== undefined &&
      h('div', { class: record.error === CANCELLED ? 'notice' : 'notice bad' }, record.error),
    facts(record),
    record.requestId !== undefined &&
      requestLink({ id: record.requestId }, 'Open the request that it served'),
    side('Request', record.requestHeaders, record.requestBody, { size: record.requestBytes, bodies }),
    side('Response', record.responseHeaders, record.responseBody, { size: record.responseBytes, bodies }),
  );
}

function facts(record) {
  const list = [
    ['Status', record.status ?? statusBadge(record)],
    ['Started', exact(record.startedAt), 'double'],
    ['Took', timesText(record) || NONE, 'double'],
    ['Account', record.account ?? NONE],
    ['Sent', bytes(record.requestBytes)],
    ['Received', bytes(record.responseBytes)],
  ];
  return h('dl', { class: 'facts' }, factItems(list));
}

function side(name, headers = {}, body, { size, bodies }) {
  const lines = Object.entries(headers);
  return h(
    'section',
    null,
    h('h3', null, name),
    lines.length > 0
      ? h('dl', { class: 'headers mono' }, factItems(lines))
      : h('p', { class: 'quiet' }, 'No headers are known.'),
    body !== undefined && body !== ''
      ? [bodyView(body, `Body of the ${name.toLowerCase()}`), cutBodyNote(body, size)]
      : h('p', { class: 'quiet' }, NO_BODY[bodies]),
  );
}

/** Least length of a body that was cut: redaction may have made it a little shorter since. */
const LEAST_CUT_CHARS = 400;

/** Says so if only the beginning of a body is kept. */
function cutBodyNote(body, size) {
  const kept = new Blob([body]).size;
  return (
    size > kept &&
    body.length >= LEAST_CUT_CHARS &&
    h(
      'p',
      { class: 'quiet' },
      `First ${count(body.length)} characters of ${bytes(size)}: LOG_CONTENT keeps no more.`,
    )
  );
}
