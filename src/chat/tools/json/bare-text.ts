import { type Input, type Parsing } from '../text/input.js';
import { isLiteral } from './json-scalar.js';

/**
 * A text without quotes, or without the first of them, up to the next member or the end of the object; none that Python
 * has in quotes behind a letter. Groups 1: its first word, 2: the text.
 */
const BARE_TEXT =
  /^(?![bfru]{1,2}')(?=(\p{L}[\w$-]*))(\p{L}(?:[^"\n{}[\]]*?[^"\n{}[\],\s])??)\s*"?\s*(?=\}|,\s*["']?[\w$-]+["']?\s*[:=]|"[\w$-]+"\s*:)/u;

/** A beginning of that. */
const PARTIAL_BARE_TEXT =
  /^[^"\n{}[\]]*(?:"?\s*(?:,\s*(?:["'][\w$-]*["']?\s*|[\w$-]+\s*)?)?|"[\w$-]*"?\s*)?$/u;

/** The end of a value. */
const VALUE_END = /^\s*[,}\]]/;

/** Characters of the longest such text, with what follows it. */
const MAX_LENGTH = 256;

/** Consumes a value at the cursor that lacks its quotes. @returns its text; undefined if there is none */
export function* readBareText(input: Input): Parsing<string | undefined> {
  for (;;) {
    const text = input.text.slice(input.at, input.at + MAX_LENGTH);
    const [all = '', word = '', found] = BARE_TEXT.exec(text) ?? [];
    if (found !== undefined && !(isLiteral(word) && VALUE_END.test(text.slice(word.length)))) {
      input.at += all.length;
      return found;
    }
    if (found !== undefined || input.isEnded || text.length === MAX_LENGTH || !PARTIAL_BARE_TEXT.test(text)) {
      return undefined;
    }
    yield;
  }
}
