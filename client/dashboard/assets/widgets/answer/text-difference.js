import { codeBox } from '../kit/code-box.js';
import { h } from '../kit/dom.js';

/** Edits beyond which two texts have too little in common for a comparison by words. */
const MAX_EDITS = 4000;
const TIME_LIMIT_MS = 500;

/**
 * Two texts as one, with what only one of them has marked. The library is fetched when it is first needed.
 *
 * @param {string} before
 * @param {string} after
 * @returns {Promise<HTMLElement>}
 */
export async function textDifference(before, after) {
  if (before === after) {
    return h('p', { class: 'quiet' }, before === '' ? 'Neither has any text.' : 'Word for word the same.');
  }
  const { diffWordsWithSpace } = await import('../../diff/diff/word.js');
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS, timeout: TIME_LIMIT_MS });
  if (!parts) {
    return h('p', { class: 'quiet' }, 'The texts differ too much for a comparison word by word.');
  }
  const box = codeBox(
    'Difference',
    parts.map(({ value, added, removed }) =>
      added || removed ? h(added ? 'ins' : 'del', null, value) : value,
    ),
  );
  box.classList.add('difference');
  return box;
}
