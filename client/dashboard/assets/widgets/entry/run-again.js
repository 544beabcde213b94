import { getJson } from '../../data/api.js';
import { callChat } from '../../data/chat/chat-call.js';
import { filterQuery } from '../../data/filters.js';
import { repeatBody, repeatGaps } from '../../data/repeat-request.js';
import { AnswerView } from '../answer/answer-view.js';
import { fill, h } from '../kit/dom.js';
import { comparison } from './comparison.js';

/** Ids of the models, read once. @type {Promise<readonly string[]> | undefined} */
let known;

/** Sends a logged completion again, as any client would, also to another model, and compares both answers. */
export class RunAgain {
  #entry;
  #running;
  #model = h('select', { 'aria-label': 'Model of the new run' });
  #button = h('button', { type: 'button', class: 'small' }, 'Run again');
  #tester = h('a', { class: 'button small' }, 'Open in the chat tester');
  #note = h('p', { class: 'quiet' });
  #place = h('div');
  element = h(
    'section',
    { class: 'run-again', hidden: true },
    h('div', { class: 'box-tools' }, this.#model, this.#button, this.#tester),
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
      void this.#offerModels(entry.model);
      const gaps = repeatGaps(entry);
      this.#note.textContent = gaps.length === 0 ? '' : `It is sent with a difference: ${gaps.join(', ')}.`;
    }
  }

  /** Offers the model of the request, and the others once they are known. @param {string} own */
  async #offerModels(own) {
    if (this.#model.options.length > 0) {
      return;
    }
    this.#model.add(new Option(own, own));
    known ??= getJson('/dashboard/api/models').then(({ models }) => models);
    try {
      const others = (await known).filter((id) => id !== own);
      this.#model.append(...others.map((id) => new Option(id, id)));
    } catch {
      // The request can still be sent to its own.
      known = undefined;
    }
  }

  async #run() {
    const entry = this.#entry;
    this.#running = new AbortController();
    this.#button.textContent = 'Stop';
    const view = new AnswerView();
    const difference = h('div', { class: 'stack' });
    fill(
      this.#place,
      h(
        'div',
        { class: 'detail-columns' },
        h('div', { class: 'stack' }, h('h3', null, 'The new run'), view.element),
        difference,
      ),
    );
    const body = { ...repeatBody(entry), model: this.#model.value };
    const asked = body.stream ? { ...body, stream_options: { include_usage: true } } : body;
    const answer = await callChat(asked, {
      signal: this.#running.signal,
      onChange: (growing) => view.show(growing),
    });
    this.#running = undefined;
    this.#button.textContent = 'Run again';
    fill(difference, await comparison(entry, { ...answer, model: body.model }, ['Then', 'Now']));
  }
}

function isRepeatable({ operation, method, content, outcome }) {
  return operation === 'completion' && method === 'POST' && content !== undefined && outcome !== 'pending';
}
