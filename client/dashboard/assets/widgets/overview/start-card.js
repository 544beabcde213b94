import { getJson } from '../../data/api.js';
import { hasKey } from '../../data/key/key-store.js';
import { snippets } from '../../data/snippets.js';
import { codeBox } from '../kit/code-box.js';
import { copyButton } from '../kit/copy.js';
import { fill, h } from '../kit/dom.js';

/** The card that connects a client: base URL, models, and set-ups to copy. Unfolded until the first request was seen. */
export class StartCard {
  #place = h('div', { class: 'stack' });
  #isFilled = false;
  element = h('details', { class: 'panel start-card' }, h('summary', null, 'Connect a client'), this.#place);

  constructor() {
    this.element.addEventListener('toggle', () => this.element.open && void this.#fill());
  }

  /** Unfolds the card; the person may fold it again. */
  open() {
    this.element.open = true;
  }

  async #fill() {
    if (this.#isFilled) {
      return;
    }
    this.#isFilled = true;
    try {
      this.#show(await getJson('/dashboard/api/models'));
    } catch (error) {
      this.#isFilled = false;
      fill(this.#place, h('p', { class: 'field-error' }, error.message));
    }
  }

  #show({ models, contextWindows }) {
    const { origin } = location;
    const [model] = models;
    const list = snippets({ origin, model, contextWindow: contextWindows[model], needsKey: hasKey() });
    const text = codeBox('Set-up');
    let shown;
    const choose = (snippet) => {
      shown = snippet;
      text.textContent = snippet.text;
    };
    const choices = list.map((snippet, index) => {
      const input = h('input', { type: 'radio', name: 'snippet', value: snippet.name, checked: index === 0 });
      input.addEventListener('change', () => choose(snippet));
      return h('label', null, input, h('span', null, snippet.name));
    });
    choose(list[0]);
    fill(
      this.#place,
      h(
        'p',
        null,
        'Base URL ',
        h('code', null, `${origin}/v1`),
        ' · models ',
        h('code', null, models.join(', ')),
      ),
      h('fieldset', { class: 'segmented' }, h('legend', { class: 'unseen' }, 'Client'), choices),
      text,
      h(
        'div',
        { class: 'box-tools' },
        copyButton('Copy', () => shown.text),
        h('a', { class: 'button small', href: '/dashboard/chat' }, 'Send a test message'),
      ),
    );
  }
}
