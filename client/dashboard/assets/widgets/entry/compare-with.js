import { fetchRequest } from '../../data/fetch-record.js';
import { requestIdIn } from '../../data/search/pasted-error.js';
import { textDifference } from '../answer/text-difference.js';
import { fill, h } from '../kit/dom.js';
import { comparison } from './comparison.js';

/** Ids of the requests whose details were shown on this page, the latest last. @type {Set<string>} */
const shown = new Set();

/** Compares a request with another one of the log: at first the one whose detail was shown before. */
export class CompareWith {
  #entry;
  #id = h('input', { required: true, placeholder: 'req_…', autocomplete: 'off', spellcheck: 'false' });
  #place = h('div', { class: 'stack', tabindex: '-1', role: 'group', 'aria-label': 'Comparison' });
  element = h(
    'details',
    { class: 'compare-with', hidden: true },
    h('summary', null, 'Compare with another request'),
    h(
      'form',
      { class: 'filters', onsubmit: (event) => void this.#compare(event) },
      h('label', { class: 'field grow' }, h('span', null, 'Id or link of the other request'), this.#id),
      h('button', { type: 'submit' }, 'Compare'),
    ),
    this.#place,
  );

  constructor() {
    this.element.addEventListener('toggle', () => {
      this.#id.value ||= [...shown].findLast((id) => id !== this.#entry.id) ?? '';
    });
  }

  /** @param {Record<string, any>} entry of the request log */
  show(entry) {
    if (this.#entry?.id !== entry.id) {
      shown.delete(entry.id);
      shown.add(entry.id);
    }
    this.#entry = entry;
    this.element.hidden = entry.content === undefined || entry.outcome === 'pending';
  }

  async #compare(event) {
    event.preventDefault();
    const entry = this.#entry;
    try {
      const { entry: other } = await fetchRequest(requestIdIn(this.#id.value) ?? this.#id.value.trim());
      const sent = await textDifference(sentIn(entry), sentIn(other));
      fill(this.#place, await comparison(entry, answerOf(other), ['This one', 'The other']), [
        h('h3', null, 'Messages'),
        sent,
      ]);
      this.#place.focus({ preventScroll: true });
    } catch (error) {
      fill(this.#place, h('p', { class: 'field-error', role: 'alert' }, error.message));
    }
  }
}

/** A logged request in the form of an answer. */
function answerOf({ outcome, error, usage, content, toolCalls, firstTokenMs, ...others }) {
  return {
    ...others,
    error: outcome === 'ok' ? undefined : { code: error?.reason ?? outcome },
    firstMs: firstTokenMs,
    usage: usage && { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens },
    text: content?.answer ?? '',
    isCut: content?.answerChars !== undefined,
    calls: toolCalls,
  };
}

/** The messages as a text, without the ids of calls, which differ in any case. */
function sentIn({ content }) {
  const messages = content?.messages ?? [];
  return messages
    .map(({ role, content: text, toolCalls = [] }) =>
      [`${role}:`, text, ...toolCalls.map((call) => `${call.name}(${call.arguments})`)].join('\n'),
    )
    .join('\n\n');
}
