import { GrowingText } from '../answer/growing-text.js';
import { fill, h } from '../kit/dom.js';
import { keptText, partNote } from './kept-texts.js';

/** Titles of the texts, with the names of text and whole length in the content of an entry. */
const TEXTS = [
  ['Reasoning', 'reasoning', 'reasoningChars'],
  ['Answer', 'answer', 'answerChars'],
];

/**
 * Reasoning and answer of a request. Those of a running one grow in their place, and stay there at its end, so that they
 * can be read meanwhile.
 */
export class EntryAnswer {
  element = h('div', { class: 'detail-part' });
  #boxes;
  #shown;

  show({ content, outcome }) {
    const shown = JSON.stringify([
      content && TEXTS.flatMap((names) => names.map((name) => content[name])),
      outcome,
    ]);
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    if (!content) {
      fill(this.element);
    } else if (this.#boxes || outcome === 'pending') {
      this.#grow(content, outcome);
    } else {
      fill(this.element, wholeAnswer(content));
    }
  }

  #grow(content, outcome) {
    if (!this.#boxes) {
      this.#boxes = TEXTS.map(([title, ...names]) => new GrowingBox(title, ...names));
      fill(
        this.element,
        h(
          'section',
          null,
          this.#boxes.map(({ element }) => element),
        ),
      );
    }
    this.#boxes.forEach((box) => box.show(content, outcome));
  }
}

class GrowingBox {
  #name;
  #lengthName;
  #text;
  #note = h('div');
  #box;
  element;

  constructor(title, name, lengthName) {
    this.#name = name;
    this.#lengthName = lengthName;
    this.#text = new GrowingText(title);
    this.#box = h('div', { class: `message role-${name}` }, this.#text.element);
    this.element = h('div', null, h('h3', null, title), this.#box, this.#note);
  }

  show(content, outcome) {
    const text = content[this.#name];
    this.#text.show(text);
    this.#box.hidden = text === '';
    this.element.hidden = text === '' && this.#name !== 'answer';
    fill(this.#note, text === '' ? noText(outcome) : partNote(text, content[this.#lengthName]));
  }
}

/** Texts that do not grow any more; long ones are folded. */
function wholeAnswer(content) {
  return h(
    'section',
    null,
    TEXTS.filter(([, name]) => name === 'answer' || content[name] !== '').map(([title, name, lengthName]) => [
      h('h3', null, title),
      content[name] === ''
        ? noText()
        : h('div', { class: `message role-${name}` }, keptText(content[name], content[lengthName], title)),
    ]),
  );
}

function noText(outcome) {
  return h('p', { class: 'quiet' }, outcome === 'pending' ? 'It is running: no text so far.' : 'No text.');
}
