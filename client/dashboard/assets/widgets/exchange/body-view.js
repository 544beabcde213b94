import { h } from '../kit/dom.js';
import { longText } from '../kit/long-text.js';

const ESCAPED = { '\\\\': '\\', '\\n': '\n', '\\t': '\t', '\\"': '"' };

/** A body as it was sent. Texts within JSON are one line each, so that they can be shown with their own lines, too. */
export function bodyView(body, label) {
  const text = indented(body);
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

/** A string, an empty list or object, a sign, white space, or a literal of JSON; the last may be cut. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|\{\s*\}|\[\s*\]|[{}[\],:]|\s+|[^\s{}[\],:"]+/gs;
const LITERAL = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;
/** Deeper levels are indented no further: of thousands, the indentation would be most of the text. */
const MOST_INDENTED = 40;

/**
 * JSON with a line for each member, also where it is cut; other texts unchanged. All that it says stays as it was sent, which
 * its values would not tell: long numbers, doubled names, the order of names that are numbers.
 */
export function indented(body) {
  const tokens = /^\s*[{[]/.test(body) ? body.match(TOKEN) : [];
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(Math.min(depth, MOST_INDENTED))}`;
  const lines = [];
  for (const [at, token] of tokens.entries()) {
    if (/^\s/.test(token)) {
      continue;
    }
    const isCut = at === tokens.length - 1;
    if ((depth === 0 && lines.length > 0) || (/^[^"{}[\],:]/.test(token) && !LITERAL.test(token) && !isCut)) {
      return body;
    }
    if (token === '{' || token === '[') {
      depth++;
      lines.push(token, newLine());
    } else if (token === '}' || token === ']') {
      depth--;
      lines.push(newLine(), token);
    } else if (token === ',') {
      lines.push(token, newLine());
    } else {
      lines.push(token === ':' ? ': ' : token);
    }
  }
  return lines.length === 0 ? body : lines.join('');
}

/** The text with the line breaks that it names, also where it is cut within its JSON; as it is if it names none. */
export function withLineBreaks(text) {
  return /(?<!\\)(?:\\\\)*\\n/.test(text)
    ? text.replaceAll(/\\[\\nt"]/g, (escaped) => ESCAPED[escaped])
    : text;
}
