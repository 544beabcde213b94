import { count } from '../../data/format.js';
import { codeBox } from './code-box.js';
import { h } from './dom.js';

/** Characters shown at once; longer texts make the page slow. */
const SHOWN_CHARS = 8000;

/**
 * A preformatted text. A long one is cut, with a button for the rest.
 *
 * @param {string} text
 * @param {string} [label] accessible name
 */
export function longText(text, label = 'Text') {
  const box = codeBox(label);
  if (text.length <= SHOWN_CHARS) {
    box.textContent = text;
    return box;
  }
  box.textContent = text.slice(0, SHOWN_CHARS);
  const more = h('button', { type: 'button', class: 'small' }, `Show all ${count(text.length)} characters`);
  more.addEventListener('click', () => {
    box.textContent = text;
    more.remove();
  });
  return h('div', { class: 'stack' }, box, more);
}
