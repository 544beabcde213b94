import { formatted } from './markdown.js';

/** Characters of a user's message shown; the rest is only counted. */
const SHOWN_CHARACTERS = 4000;
/** Length of a block in characters; the browser lays the whole block out again for every piece. */
const BLOCK_CHARACTERS = 8000;

/** Adds the user's message to the page. */
export function showUserMessage(messages, text) {
  const article = element('article', 'message user');
  const rest = text.length - SHOWN_CHARACTERS;
  const note = rest > 0 ? `\n… and ${rest.toLocaleString('en-US')} more characters` : '';
  article.append(element('div', 'text', text.slice(0, SHOWN_CHARACTERS) + note));
  messages.append(article);
}

/** The part of the page that shows one answer. */
export class AnswerView {
  #features;
  #article = element('article', 'message assistant');
  #reasoning = element('details', 'reasoning');
  #reasoningText = element('p');
  #text = element('div', 'text');
  #waiting = [];
  #frame = 0;
  #source = '';
  #block;
  #blockLength = 0;

  constructor(messages, features) {
    this.#features = features;
    this.#article.dataset.state = 'streaming';
    this.#reasoning.open = true;
    this.#reasoning.append(element('summary', '', 'Reasoning'), this.#reasoningText);
    this.#article.append(this.#text);
    messages.append(this.#article);
  }

  /** Shows a piece at once, or with the next animation frame. */
  add(piece) {
    if (this.#features.painting === 'chunk' && !this.#features.markdown) {
      this.#paint(piece);
      return;
    }
    this.#waiting.push(piece);
    this.#frame ||= requestAnimationFrame(() => this.#flush());
  }

  /** @param state `done`, `stopped` or `broken` */
  end(state) {
    this.#flush();
    this.#article.dataset.state = state;
    if (this.#article.textContent === '' && state === 'broken') {
      this.#article.remove();
    }
  }

  #flush() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const hadText = this.#waiting.some(({ type }) => type === 'text');
    this.#waiting.splice(0).forEach((piece) => this.#paint(piece));
    if (this.#features.markdown && hadText) {
      this.#text.replaceChildren(formatted(this.#source));
    }
  }

  #paint({ type, text, snapshot }) {
    if (snapshot) {
      this.#clear(type);
    }
    if (type === 'reasoning') {
      if (!this.#reasoning.isConnected) {
        this.#article.prepend(this.#reasoning);
      }
      this.#reasoningText.append(text);
    } else if (this.#features.markdown) {
      this.#source += text;
    } else {
      this.#append(text);
    }
  }

  #clear(type) {
    if (type === 'reasoning') {
      this.#reasoningText.replaceChildren();
    } else {
      this.#source = '';
      this.#block = undefined;
      this.#text.replaceChildren();
    }
  }

  /** Blocks are split at the end of a line only, since the last line break of a block takes no line of its own. */
  #append(text) {
    if (!this.#block) {
      this.#block = element('div', 'block');
      this.#blockLength = 0;
      this.#text.append(this.#block);
    }
    const lineEnd = this.#blockLength + text.length > BLOCK_CHARACTERS ? text.lastIndexOf('\n') + 1 : 0;
    this.#block.append(lineEnd > 0 ? text.slice(0, lineEnd) : text);
    this.#blockLength += text.length;
    if (lineEnd > 0) {
      this.#block = undefined;
      if (lineEnd < text.length) {
        this.#append(text.slice(lineEnd));
      }
    }
  }
}

function element(name, className = '', text = '') {
  const node = document.createElement(name);
  node.className = className;
  node.textContent = text;
  return node;
}
