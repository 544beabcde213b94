import { h } from './dom.js';

/**
 * A preformatted text that scrolls, and can be reached by keyboard. A group, since many of them are no landmarks.
 *
 * @param {string} label accessible name
 * @param {any} [content]
 */
export function codeBox(label, content) {
  return h('pre', { class: 'code-box', tabindex: '0', role: 'group', 'aria-label': label }, content);
}
