import { getTextPage } from './api.js';

/** Most pages of one file. */
const MAX_PAGES = 200;

/**
 * Saves a list as a file, with all of its pages: a plain link could not send the key.
 *
 * @param {(before: string | undefined) => string} pathOf path of a page, which begins with a line of names, by its cursor
 * @returns {Promise<{ isWhole: boolean, lines: number }>} `isWhole`: false if there are more pages than a file may have;
 *   `lines`: with the line of names
 */
export async function saveList(pathOf, name, type = 'text/csv') {
  const texts = [];
  let before;
  do {
    const { text, next } = await getTextPage(pathOf(before));
    texts.push(before === undefined ? text : text.slice(text.indexOf('\n') + 1));
    before = next ?? undefined;
  } while (before !== undefined && texts.length < MAX_PAGES);
  const lines = texts.reduce((sum, text) => sum + text.split('\r\n').length - 1, 0);
  const url = URL.createObjectURL(new Blob(texts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
  return { isWhole: before === undefined, lines };
}

/** Why a file could not be saved, in a sentence. @param {{ message: string }} error */
export function notSaved({ message }) {
  return `The file could not be saved: ${message}`;
}
