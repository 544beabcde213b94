import { type Input, type Parsing } from '../text/input.js';
import { peekText } from '../text/scan.js';

/** Whether a comment may begin with this character. */
export function mayBeginComment(char: string): boolean {
  return char === '/' || char === '#';
}

/** Skips the comment at the cursor, of JavaScript or of Python. @returns whether there is one */
export function* skipComment(input: Input): Parsing<boolean> {
  const isPython = input.text.charAt(input.at) === '#';
  const opener = isPython ? '#' : yield* peekText(input, 2);
  if (!isPython && opener !== '//' && opener !== '/*') {
    return false;
  }
  input.at += opener.length;
  const closer = opener === '/*' ? '*/' : '\n';
  for (;;) {
    const end = input.text.indexOf(closer, input.at);
    if (end >= 0) {
      input.at = end + closer.length;
      return true;
    }
    if (input.isEnded) {
      input.at = input.text.length;
      return true;
    }
    // The last character may be the first half of the closer.
    input.at = Math.max(input.at, input.text.length - closer.length + 1);
    yield;
  }
}
