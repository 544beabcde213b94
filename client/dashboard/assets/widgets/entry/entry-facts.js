import { count, duration, exact, NONE } from '../../data/format.js';
import { h } from '../kit/dom.js';
import { factItems } from '../kit/fact-items.js';
import { keyLink } from '../kit/request-link.js';

/** Characters that fit into a column, of most texts. */
const COLUMN_CHARS = 16;

/** Known facts about a request, in figures and words. */
export function entryFacts(entry) {
  const { usage } = entry;
  const list = [
    ['Started', exact(entry.startedAt), 'double'],
    ['Status', entry.status ?? NONE],
    ['Duration', duration(entry.totalMs)],
    ['Body read in', duration(entry.receivedMs)],
    ['Waited', duration(entry.queuedMs)],
    ['First token', duration(entry.firstTokenMs)],
    ['Model', entry.model ?? NONE],
    ['Account', entry.account ?? NONE],
    ['Streamed', entry.stream === undefined ? NONE : entry.stream ? 'yes' : 'no'],
    ['Finish reason', entry.finishReason ?? NONE],
    ['Key', entry.key === undefined ? NONE : keyLink(entry.key)],
    ['Client', entry.client ?? NONE],
    ['Node', entry.node ?? NONE],
    ...parametersOf(entry),
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
    factItems(
      list
        .filter(([, value]) => value !== NONE)
        .map(([name, value, className = isLong(value) && 'double']) => [name, value, className]),
    ),
  );
}

/** @param {string | number | HTMLElement} value */
function isLong(value) {
  return (value.textContent ?? String(value)).length > COLUMN_CHARS;
}

/** Parameters by their names on the wire. */
function parametersOf({ parameters = {} }) {
  return Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'object' ? (value?.function?.name ?? JSON.stringify(value)) : String(value),
  ]);
}

function tokenText(all, part, name) {
  return part > 0 ? `${count(all)} (${count(part)} ${name})` : count(all);
}
