import { callChat } from '../../data/chat/chat-call.js';
import { filterQuery } from '../../data/filters.js';
import { count, duration, NONE } from '../../data/format.js';
import { repeatBody, repeatGaps } from '../../data/repeat-request.js';
import { AnswerView } from '../answer/answer-view.js';
import { textDifference } from '../answer/text-difference.js';
import { fill, h } from '../kit/dom.js';
import { words } from '../kit/labels.js';
import { table } from '../kit/table.js';

/** Sends a logged completion again, as any client would, and compares both answers. */
export class RunAgain {
  #entry;
  #running;
  #button = h('button', { type: 'button', class: 'small' }, 'Run again');
  #tester = h('a', { class: 'button small' }, 'Open in the chat tester');
  #note = h('p', { class: 'quiet' });
  #place = h('div');
  element = h(
    'section',
    { class: 'run-again', hidden: true },
    h('div', { class: 'box-tools' }, this.#button, this.#tester),
    this.#note,
    this.#place,
  );

  constructor() {
    this.#button.addEventListener('click', () => (this.#running ? this.#running.abort() : void this.#run()));
  }

  /** @param {Record<string, any>} entry of the request log */
  show(entry) {
    this.#entry = entry;
    this.element.hidden = !isRepeatable(entry);
    this.#tester.href = `/dashboard/chat${filterQuery({ id: entry.id })}`;
    if (!this.element.hidden) {
      const gaps = repeatGaps(entry);
      this.#note.textContent = gaps.length === 0 ? '' : `It is sent with a difference: ${gaps.join(', ')}.`;
    }
  }

  async #run() {
    const entry = this.#entry;
    this.#running = new AbortController();
    this.#button.textContent = 'Stop';
    const view = new AnswerView();
    const comparison = h('div', { class: 'stack' });
    fill(
      this.#place,
      h(
        'div',
        { class: 'detail-columns' },
        h('div', { class: 'stack' }, h('h3', null, 'The new run'), view.element),
        comparison,
      ),
    );
    const body = repeatBody(entry);
    const asked = body.stream ? { ...body, stream_options: { include_usage: true } } : body;
    const answer = await callChat(asked, {
      signal: this.#running.signal,
      onChange: (growing) => view.show(growing),
    });
    this.#running = undefined;
    this.#button.textContent = 'Run again';
    fill(comparison, await comparisonOf(entry, answer));
  }
}

function isRepeatable({ operation, method, content, outcome }) {
  return operation === 'completion' && method === 'POST' && content !== undefined && outcome !== 'pending';
}

async function comparisonOf(entry, answer) {
  const { content } = entry;
  const isCut = content.answerChars !== undefined;
  const calls = [callsText(entry.toolCalls), callsText(answer.calls, hasArguments(entry.toolCalls))];
  const now = isCut ? answer.text.slice(0, content.answer.length) : answer.text;
  return [
    h('h3', null, 'Difference'),
    figures(entry, answer),
    isCut &&
      h('p', { class: 'quiet' }, `Of the texts, the first ${count(content.answer.length)} characters.`),
    await textDifference(content.answer, now),
    calls.some((text) => text !== '') && [h('h3', null, 'Tool calls'), await textDifference(...calls)],
  ];
}

/** Figures of both runs side by side. */
function figures(entry, answer) {
  const rows = [
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
    label: 'Figures of both runs',
    head: ['Figure', 'Then', 'Now'],
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
function hasArguments(calls = []) {
  return calls.every((call) => call.arguments !== undefined && call.chars === undefined);
}

/** Names and arguments, one call a line; ids differ in any case. */
function callsText(calls = [], withArguments = hasArguments(calls)) {
  return calls.map(({ name, arguments: json }) => `${name}(${withArguments ? json : '…'})`).join('\n');
}
