import { h } from '../kit/dom.js';
import { longText } from '../kit/long-text.js';

const ESCAPED = { '\\\\': '\\', '\\n': '\n', '\\t': '\t', '\\"': '"' };

/** A body as it was sent. Texts within JSON are one line each, so that they can be shown with their own lines, too. */
export function bodyView(body, label) {
  const text = readable(body);
  const lines = withLineBreaks(text);
  if (lines === text) {
    return longText(text, label);
  }
  const place = h('div', null, longText(text, label));
  const button = h('button', { type: 'button', class: 'small' }, 'Show line breaks');
  let isBroken = false;
  button.addEventListener('click', () => {
    isBroken = !isBroken;
    button.textContent = isBroken ? 'Show as sent' : 'Show line breaks';
    place.replaceChildren(longText(isBroken ? lines : text, label));
  });
  return h('div', { class: 'stack' }, place, h('div', null, button));
}

/** JSON indented; other texts unchanged. */
function readable(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** The text with the line breaks that it names, also where it is cut within its JSON; as it is if it names none. */
export function withLineBreaks(text) {
  return /(?<!\\)(?:\\\\)*\\n/.test(text)
    ? text.replaceAll(/\\[\\nt"]/g, (escaped) => ESCAPED[escaped])
    : text;
}
