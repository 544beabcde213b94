import { count, percent, plural } from '../../data/format.js';
import { sum } from '../../data/sum.js';
import { h } from '../kit/dom.js';
import { barLine } from './bar-line.js';

/** Parts of an input, with what they are. */
const PARTS = {
  instructions: ['Instructions', 'system and developer messages'],
  user: ['User', 'what the user wrote, or a client for them'],
  assistant: ['Assistant', 'answers and calls of before'],
  results: ['Tool results', 'as they went upstream'],
  rest: ['Definitions', 'of tools, and what the gateway adds'],
};

/** Input from which on it is worth a look what it is made of. */
const LARGE_CHARS = 1000;

/** What the input of a request is made of, the most first: why it costs as many tokens as it does. */
export function inputParts({ inputChars = {} }) {
  const all = sum(Object.values(inputChars));
  if (all < LARGE_CHARS) {
    return undefined;
  }
  const parts = Object.entries(inputChars).sort(([, a], [, b]) => b - a);
  return h(
    'section',
    { class: 'input-parts' },
    h('h3', null, 'Input'),
    h('p', { class: 'quiet' }, `${plural(all, 'character')} went upstream; pictures are not among them.`),
    h(
      'ol',
      { class: 'trace' },
      parts.map(([part, chars]) => partLine(part, chars, all)),
    ),
  );
}

function partLine(part, chars, all) {
  const [name, detail] = PARTS[part] ?? [part, ''];
  const share = chars / all;
  return barLine({ name, detail, at: count(chars), took: percent(share), tone: 'info', start: 0, share });
}
