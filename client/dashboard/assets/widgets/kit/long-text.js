import { count } from '../../data/format.js';
import { h } from './dom.js';

/** More would make the page slow, and nobody reads it all. */
const SHOWN_CHARS = 8000;

/**
 * A text as it is, white space and all. Of a long one the beginning, until the reader asks for the rest.
 *
 * @param {string} text
 * @param {string} [label] names the region for screen readers, which can then scroll it
 */
export function longText(text, label = 'Text') {
  const box = h('pre', { class: 'code-box', tabindex: '0', role: 'region', 'aria-label': label });
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
