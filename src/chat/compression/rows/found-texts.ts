import { type Columns } from './column-cells.js';

/** Columns of texts that a search was made for: passages of documents, what was remembered. */
const FOUND =
  /(?:^|[._])(?:snippet|excerpt|passage|chunk|highlight|fragment|text|content|observation|memory|answer)s?$/i;

/** Rows up to which the text of each is shown, their characters in all, and the least of a text in the mean. */
const MAX_FOUND = 40;
const MAX_FOUND_CHARS = 16_000;
const MIN_TEXT_CHARS = 80;

/** Share of different texts, and of those with several words. */
const MIN_DIFFERENT = 0.9;

/** Whether rows are what a search found: each has a text of its own, of which the caller wants every one. */
export function areFoundTexts(total: number, columns: Columns): boolean {
  return (
    total <= MAX_FOUND &&
    [...columns].some(([name, cells]) => {
      const texts = cells.filter((cell) => cell !== undefined && /\w \w{1,40} \w{1,40} \w/.test(cell));
      const chars = texts.join('').length;
      return (
        FOUND.test(name) &&
        new Set(texts).size >= total * MIN_DIFFERENT &&
        chars >= total * MIN_TEXT_CHARS &&
        chars <= MAX_FOUND_CHARS
      );
    })
  );
}
