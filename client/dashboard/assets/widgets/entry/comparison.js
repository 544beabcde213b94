import { count, duration, NONE } from '../../data/format.js';
import { textDifference } from '../answer/text-difference.js';
import { h } from '../kit/dom.js';
import { words } from '../kit/labels.js';
import { table } from '../kit/table.js';

/**
 * What differs between a logged request and another answer.
 *
 * @param {Record<string, any>} entry of the request log, with its content
 * @param {any} answer a `ChatAnswer` with its `model`; `isCut`: whether the log keeps a part of its text
 * @param {readonly [string, string]} names of the two
 */
export async function comparison(entry, answer, names) {
  const { content } = entry;
  const kept = Math.min(
    content.answerChars === undefined ? Infinity : content.answer.length,
    answer.isCut === true ? answer.text.length : Infinity,
  );
  const both = [entry.toolCalls ?? [], answer.calls ?? []];
  const calls = both.map((list) => callsText(list, both.every(hasArguments)));
  return [
    h('h3', null, `Difference: ${names.join(' → ')}`),
    figures(entry, answer, names),
    kept < Infinity && h('p', { class: 'quiet' }, `Of the texts, the first ${count(kept)} characters.`),
    await textDifference(content.answer.slice(0, kept), answer.text.slice(0, kept)),
    calls.some((text) => text !== '') && [h('h3', null, 'Tool calls'), await textDifference(...calls)],
  ];
}

/** Figures of both side by side. */
function figures(entry, answer, names) {
  const rows = [
    ['Model', entry.model ?? NONE, answer.model ?? NONE],
    [
      'Outcome',
      entry.outcome === 'ok' ? 'ok' : words(entry.error?.reason ?? entry.outcome),
      outcomeOf(answer),
    ],
    ['Finish reason', entry.finishReason ?? NONE, answer.finishReason ?? NONE],
    ['First token', duration(entry.firstTokenMs), duration(answer.firstMs)],
    ['Duration', duration(entry.totalMs), duration(answer.totalMs)],
    ['Tokens in', count(entry.usage?.promptTokens), count(answer.usage?.prompt_tokens)],
    ['Tokens out', count(entry.usage?.completionTokens), count(answer.usage?.completion_tokens)],
  ];
  return table({
    label: 'Figures of both',
    head: ['Figure', ...names],
    rows: rows.map(([name, ...values]) =>
      h(
        'tr',
        null,
        h('th', { scope: 'row' }, name),
        values.map((value) => h('td', null, value)),
      ),
    ),
  });
}

function outcomeOf({ error }) {
  return error ? words(error.code ?? 'failed') : 'ok';
}

/** The log keeps no arguments, or cut ones, where it keeps no full texts. */
function hasArguments(calls) {
  return calls.every((call) => call.arguments !== undefined && call.chars === undefined);
}

/** Names and arguments, one call a line; ids differ in any case. */
function callsText(calls, withArguments) {
  return calls.map(({ name, arguments: json }) => `${name}(${withArguments ? json : '…'})`).join('\n');
}
