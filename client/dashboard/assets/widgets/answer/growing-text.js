import { codeBox } from '../kit/code-box.js';

/** A text that grows: only what is new is added, so that scroll position and selection are kept. */
export class GrowingText {
  #node = document.createTextNode('');
  element;

  /** @param {string} label accessible name */
  constructor(label) {
    this.element = codeBox(label, this.#node);
    this.element.hidden = true;
  }

  /** @param {string} text replaces the text shown if it does not begin with it */
  show(text) {
    if (!text.startsWith(this.#node.data)) {
      this.#node.data = text;
    } else if (text.length > this.#node.length) {
      this.#node.appendData(text.slice(this.#node.length));
    }
    this.element.hidden = text === '';
  }
}
