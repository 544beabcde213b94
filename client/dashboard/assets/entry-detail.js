import { conversation, condensedOf, toolCallsOf } from './conversation.js';
import { copyButton } from './copy.js';
import { toCurl } from './curl.js';
import { attemptsAndAccounts, decisionTrace } from './decision-trace.js';
import { h } from './dom.js';
import { addressOf, statusBadge, timingBar, timingText } from './exchange-bars.js';
import { filterQuery } from './filters.js';
import { count, duration, exact, NONE } from './format.js';
import { correctionText, words } from './labels.js';
import { longText } from './long-text.js';
import { serverNow } from './ticker.js';
import { timingBars } from './waterfall.js';

/**
 * Everything that is known of a request.
 *
 * @param {{ entry: any, network: readonly any[] }} request
 */
export function entryDetail({ entry, network }) {
  return h(
    'div',
    { class: 'entry-detail' },
    entry.error && errorBox(entry.error),
    h(
      'div',
      { class: 'detail-columns' },
      h(
        'div',
        { class: 'stack' },
        facts(entry),
        decisionTrace(entry),
        attemptsAndAccounts(entry),
        correctionsOf(entry),
        networkOf(entry, network),
      ),
      h('div', { class: 'stack' }, conversation(entry), toolCallsOf(entry), condensedOf(entry)),
    ),
    rawJson(entry, network),
  );
}

function errorBox({ code, message, cause }) {
  return h(
    'div',
    { class: 'notice bad' },
    h('strong', null, words(code)),
    h('span', null, message),
    cause !== undefined && h('span', null, `Cause: ${words(cause)}`),
  );
}

function facts(entry) {
  const { usage } = entry;
  const list = [
    ['Started', exact(entry.startedAt), 'double'],
    ['Status', entry.status ?? NONE],
    ['Duration', duration(entry.totalMs)],
    ['Queued', duration(entry.queuedMs)],
    ['First token', duration(entry.firstTokenMs)],
    ['Model', entry.model ?? NONE],
    ['Account', entry.account ?? NONE],
    ['Streamed', entry.stream === undefined ? NONE : entry.stream ? 'yes' : 'no'],
    ['Finish reason', entry.finishReason ?? NONE],
    ['Client', entry.client ?? NONE],
    ['Tokens in', usage ? tokenText(usage.promptTokens, usage.cachedTokens, 'cached') : NONE],
    ['Tokens out', usage ? tokenText(usage.completionTokens, usage.reasoningTokens, 'reasoning') : NONE],
  ];
  return h(
    'dl',
    { class: 'facts' },
    h(
      'div',
      { class: 'wide' },
      h('dt', null, `${entry.method} ${entry.path}`),
      h('dd', { class: 'mono' }, entry.id),
    ),
    list.map(([name, value, className]) =>
      h('div', { class: className }, h('dt', null, name), h('dd', null, value)),
    ),
  );
}

function tokenText(all, part, name) {
  return part > 0 ? `${count(all)} (${count(part)} ${name})` : count(all);
}

function correctionsOf({ corrections = [] }) {
  if (corrections.length === 0) {
    return undefined;
  }
  return h(
    'section',
    null,
    h('h3', null, 'Corrections'),
    h(
      'ul',
      { class: 'lines' },
      corrections.map((correction) =>
        h(
          'li',
          null,
          h('span', { class: 'quiet' }, `at ${duration(correction.atMs)}`),
          h('span', null, `${correctionText(correction)}. ${correction.detail}`),
        ),
      ),
    ),
  );
}

function networkOf(entry, network) {
  if (network.length === 0) {
    return undefined;
  }
  const bars = timingBars(network, { asWaterfall: true, now: serverNow() });
  return h(
    'section',
    null,
    h('h3', null, 'Upstream network'),
    h(
      'ul',
      { class: 'exchanges' },
      network.map((record) =>
        h(
          'li',
          null,
          statusBadge(record),
          h('span', { class: 'address mono' }, h('strong', null, record.method), ' ', addressOf(record.url)),
          timingBar(bars.get(record.id)),
          h('span', { class: 'quiet' }, timingText(record)),
        ),
      ),
    ),
    h(
      'a',
      { href: `/dashboard/network${filterQuery({ request: entry.id })}` },
      'Open in the network inspector',
    ),
  );
}

function rawJson(entry, network) {
  const text = () => JSON.stringify({ entry, network }, null, 2);
  const box = h('details', { class: 'raw' }, h('summary', null, 'Raw JSON'));
  box.addEventListener(
    'toggle',
    () => box.children.length === 1 && box.append(longText(text(), 'Raw JSON')),
    {
      once: true,
    },
  );
  const link = new URL(`/dashboard/logs${filterQuery({ id: entry.id })}`, location.href).href;
  return h(
    'div',
    { class: 'raw-tools' },
    box,
    h(
      'div',
      { class: 'box-tools' },
      copyButton('Copy JSON', text),
      copyButton('Copy as curl', () => toCurl(entry, location.origin)),
      copyButton('Copy link', () => link),
    ),
  );
}
