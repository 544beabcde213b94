import { type Input, type Parsing } from '../text/input.js';
import { startsWith } from '../text/scan.js';

/** What ends a comment of Python, of JavaScript and of HTML, by what begins it. */
const COMMENTS = [
  ['#', '\n'],
  ['//', '\n'],
  ['/*', '*/'],
  ['<!--', '-->'],
] as const;

/** Whether a comment may begin with this character. */
export function mayBeginComment(char: string): boolean {
  return char === '/' || char === '#' || char === '<';
}

/** Skips the comment at the cursor. @returns whether there is one */
export function* skipComment(input: Input): Parsing<boolean> {
  for (const [opener, closer] of COMMENTS) {
    if (yield* startsWith(input, opener)) {
      input.at += opener.length;
      yield* skipPast(input, closer);
      return true;
    }
  }
  return false;
}

/** Skips the text up to behind the closer, or to the end of the answer. */
function* skipPast(input: Input, closer: string): Parsing<void> {
  for (;;) {
    const end = input.text.indexOf(closer, input.at);
    if (end >= 0) {
      input.at = end + closer.length;
      return;
    }
    if (input.isEnded) {
      input.at = input.text.length;
      return;
    }
    // What stands there may be the beginning of the closer.
    input.at = Math.max(input.at, input.text.length - closer.length + 1);
    yield;
  }
}
