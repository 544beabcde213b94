import { type Input, type Parsing } from './input.js';

/** Waits for a character at the cursor. @returns its UTF-16 code, or -1 at the end */
export function* peek(input: Input): Parsing<number> {
  while (input.at >= input.text.length) {
    if (input.isEnded) {
      return -1;
    }
    yield;
  }
  return input.text.charCodeAt(input.at);
}

/** Waits for `length` characters at the cursor. @returns them, fewer only at the end */
export function* peekText(input: Input, length: number): Parsing<string> {
  while (input.text.length - input.at < length && !input.isEnded) {
    yield;
  }
  return input.text.slice(input.at, input.at + length);
}

/**
 * Waits for text at the cursor, or `offset` characters behind it, as long as it decides nothing.
 * @param partial matches the beginnings that do not decide
 * @returns the text that has arrived, of `max` characters at most
 */
export function* peekDecisive(input: Input, partial: RegExp, max: number, offset = 0): Parsing<string> {
  for (;;) {
    const from = input.at + offset;
    const text = input.text.slice(from, from + max);
    if (input.isEnded || text.length === max || !partial.test(text)) {
      return text;
    }
    yield;
  }
}

/** Consumes white space. @returns the UTF-16 code of the character behind it, or -1 at the end */
export function* skipWhitespace(input: Input): Parsing<number> {
  for (;;) {
    const code = yield* peek(input);
    if (code < 0 || !isWhitespace(code)) {
      return code;
    }
    input.at++;
  }
}

/** White space at the end of a text. A regular expression would look for its end from each place in it. */
export function endingSpace(text: string): string {
  return text.slice(text.trimEnd().length);
}

/** Consumes the line break at the cursor, such as one behind an opening tag. @returns it, empty if there is none */
export function* readLineBreak(input: Input): Parsing<string> {
  const isUndecided = (): boolean => {
    const next = input.text.slice(input.at, input.at + 2);
    return !input.isEnded && (next === '' || next === '\r');
  };
  while (isUndecided()) {
    yield;
  }
  const lineBreak = ['\n', '\r\n'].find((one) => input.text.startsWith(one, input.at)) ?? '';
  input.at += lineBreak.length;
  return lineBreak;
}

/** Whether a literal stands at the cursor. Waits only as long as the arrived text is a prefix of it. */
export function* startsWith(input: Input, literal: string): Parsing<boolean> {
  for (;;) {
    if (input.text.startsWith(literal, input.at)) {
      return true;
    }
    if (input.isEnded || !literal.startsWith(input.text.slice(input.at, input.at + literal.length))) {
      return false;
    }
    yield;
  }
}

/** Consumes a literal. @returns whether it stands at the cursor */
export function* skipLiteral(input: Input, literal: string): Parsing<boolean> {
  const isThere = yield* startsWith(input, literal);
  input.at += isThere ? literal.length : 0;
  return isThere;
}

/** Whether the line, or the answer, ends `offset` characters behind the cursor. */
export function* endsLine(input: Input, offset: number): Parsing<boolean> {
  const text = yield* peekText(input, offset + 1);
  const next = text.charAt(offset);
  return next === '' || next === '\n' || next === '\r';
}

/**
 * Consumes the longest run that a sticky pattern matches.
 * @param max stops waiting for more once so many characters matched; the run may be longer
 */
export function* readRun(input: Input, pattern: RegExp, max = Infinity): Parsing<string> {
  let found = '';
  for (;;) {
    pattern.lastIndex = input.at;
    pattern.test(input.text);
    found += input.text.slice(input.at, pattern.lastIndex);
    input.at = pattern.lastIndex;
    if (input.at < input.text.length || input.isEnded || found.length >= max) {
      return found;
    }
    yield;
  }
}

/** Space, tab, line feed and carriage return: the white space of JSON, and all that models put around markup. */
export function isWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
