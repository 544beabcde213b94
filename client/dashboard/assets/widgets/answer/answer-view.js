import { compact, count, duration, NONE } from '../../data/format.js';
import { codeBox } from '../kit/code-box.js';
import { fill, h } from '../kit/dom.js';
import { factItems } from '../kit/fact-items.js';
import { badge } from '../kit/labels.js';
import { requestLink } from '../kit/request-link.js';
import { GrowingText } from './growing-text.js';

/** An answer of a chat completion while it comes and afterwards: state, texts, calls, usage and times. */
export class AnswerView {
  #state = h('div', { class: 'answer-state', role: 'status' });
  #error = h('div');
  #facts = h('dl', { class: 'facts' });
  #reasoning = new GrowingText('Text of the reasoning');
  #text = new GrowingText('Text of the new answer');
  #calls = h('div', { class: 'stack' });
  #link = h('p', null);
  #isWaiting = false;
  #shown = '';
  element = h(
    'div',
    { class: 'answer-view stack' },
    this.#state,
    this.#error,
    h('h3', { hidden: true }, 'Reasoning'),
    this.#reasoning.element,
    h('h3', { hidden: true }, 'Answer'),
    this.#text.element,
    this.#calls,
    this.#facts,
    this.#link,
  );

  /** @param {import('../../data/chat/chat-answer.js').ChatAnswer} answer shown with the next frame */
  show(answer) {
    if (this.#isWaiting) {
      return;
    }
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      this.#draw(answer);
    });
  }

  #draw(answer) {
    for (const [text, part] of [
      [answer.reasoning, this.#reasoning],
      [answer.text, this.#text],
    ]) {
      part.show(text);
      part.element.previousElementSibling.hidden = text === '';
    }
    // The rest changes seldom: a live region must not speak with each piece.
    const state = [answer.isDone, answer.headersMs === undefined, answer.calls.length, answer.firstMs];
    const key = JSON.stringify([state, answer.calls.map((call) => call.arguments.length)]);
    if (key !== this.#shown) {
      this.#shown = key;
      fill(this.#state, badge(stateOf(answer), answer.isDone ? '' : 'spin'));
      fill(this.#error, answer.error && !isStopped(answer) && errorNotice(answer.error));
      fill(this.#calls, answer.calls.length > 0 && h('h3', null, 'Tool calls'), answer.calls.map(callView));
      fill(this.#facts, factItems(factsOf(answer)));
      const { requestId: id } = answer;
      fill(this.#link, id !== undefined && requestLink({ id }, 'Open in the log'));
    }
  }
}

function stateOf(answer) {
  const { isDone, error, headersMs, finishReason } = answer;
  if (error) {
    return isStopped(answer)
      ? { text: 'stopped', tone: 'none', icon: 'stop' }
      : { text: 'failed', tone: 'bad', icon: 'cross' };
  }
  if (isDone) {
    return finishReason === 'length'
      ? { text: 'cut at max_tokens', tone: 'warn', icon: 'alert' }
      : { text: 'complete', tone: 'ok', icon: 'check' };
  }
  return { text: headersMs === undefined ? 'waiting' : 'answering', tone: 'info', icon: 'wait' };
}

/** By whoever asked, who needs no alarm. */
function isStopped({ error }) {
  return error?.code === 'stopped';
}

function errorNotice({ message, code, status }) {
  const detail = [status > 0 && `status ${status}`, code].filter(Boolean).join(' · ');
  return h('div', { class: 'notice bad' }, h('strong', null, message), detail && h('span', null, detail));
}

function callView({ id, name, arguments: json }) {
  return h(
    'div',
    { class: 'tool-call' },
    h('p', null, h('strong', { class: 'mono' }, name), h('span', { class: 'quiet mono' }, ` ${id}`)),
    codeBox(`Arguments of ${name}`, json),
  );
}

/** Names and values, without those that are unknown. */
function factsOf(answer) {
  const { usage, finishReason, firstMs, firstTextMs, totalMs, chunks, tokensPerSecond } = answer;
  return [
    ['First token', duration(firstMs)],
    ['First text', firstTextMs === firstMs ? NONE : duration(firstTextMs)],
    ['Duration', duration(totalMs)],
    ['Tokens in', count(usage?.prompt_tokens)],
    ['Tokens out', count(usage?.completion_tokens)],
    ['Reasoning tokens', count(usage?.completion_tokens_details?.reasoning_tokens || undefined)],
    ['Tokens a second', compact(tokensPerSecond)],
    ['Chunks', chunks > 0 ? count(chunks) : NONE],
    ['Finish reason', finishReason ?? NONE],
  ].filter(([, value]) => value !== NONE);
}
