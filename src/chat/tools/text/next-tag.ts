import { type Input, type Parsing } from './input.js';
import { isWhitespace } from './scan.js';
import { parseTagAt, type Tag } from './tags.js';

/** Characters of white space beyond which two tags are unrelated. */
const MAX_GAP = 256;

/** Characters of stray text between two tags that belong together; more is text that means something. */
const MAX_STRAY = 128;

/** The next tag after a position, or why there is none. */
export interface NextTag {
  /** Offset from the cursor of the tag, or of whatever follows the white space. */
  readonly offset: number;
  /** Undefined if text or the end follows. */
  readonly tag?: Tag;
  /** Whether the answer ends there. A closing tag that is cut off counts as the end, too. */
  readonly isEnd: boolean;
  /** Whether the answer ends in the middle of a tag. */
  readonly isCut: boolean;
}

/** The tag that begins with the `<` at the cursor; undefined if there is none. Consumes nothing. */
export function* tagAtCursor(input: Input): Parsing<Tag | undefined> {
  for (;;) {
    const found = parseTagAt(input.text, input.at);
    if (found !== 'partial') {
      return found;
    }
    if (input.isEnded) {
      return undefined;
    }
    yield;
  }
}

/** Looks for a tag behind white space and `</think>`, `offset` characters after the cursor. Consumes nothing. */
export function* nextTagFrom(input: Input, offset: number): Parsing<NextTag> {
  const limit = offset + MAX_GAP;
  let place = offset;
  for (;;) {
    const at = input.at + place;
    if (at < input.text.length) {
      if (isWhitespace(input.text.charCodeAt(at)) && place < limit) {
        place++;
        continue;
      }
      const tag = input.text.charAt(at) === '<' ? parseTagAt(input.text, at) : undefined;
      if (tag !== 'partial') {
        if (tag?.kind === 'thinking' && tag.isClosing && place < limit) {
          place += tag.length;
          continue;
        }
        return { offset: place, tag, isEnd: false, isCut: false };
      }
      if (input.isEnded) {
        return { offset: place, isEnd: input.text.startsWith('</', at), isCut: true };
      }
    } else if (input.isEnded) {
      return { offset: place, isEnd: true, isCut: false };
    }
    yield;
  }
}

/**
 * Looks for a tag behind a little text, `offset` characters after the cursor. Consumes nothing.
 * @param most characters of the text
 * @returns the tag with its offset; undefined if none is near
 */
export function* tagBehindText(
  input: Input,
  offset: number,
  most = MAX_STRAY,
): Parsing<{ readonly offset: number; readonly tag: Tag } | undefined> {
  const limit = offset + most;
  let place = offset;
  for (;;) {
    const at = input.text.indexOf('<', input.at + place);
    place = (at < 0 ? input.text.length : at) - input.at;
    if (place > limit) {
      return undefined;
    }
    const tag = at < 0 ? 'partial' : parseTagAt(input.text, at);
    if (tag === undefined) {
      place++;
    } else if (tag !== 'partial') {
      return { offset: place, tag };
    } else if (input.isEnded) {
      return undefined;
    } else {
      yield;
    }
  }
}

/** Whether the answer ends in the middle of a tag that begins at the cursor. */
export function endsInTag({ text, at, isEnded }: Input): boolean {
  return isEnded && text.startsWith('<', at) && parseTagAt(text, at) === 'partial';
}

/** Whether the answer ends in the middle of a closing tag that begins at the cursor. */
export function endsInClosingTag(input: Input): boolean {
  return input.text.startsWith('</', input.at) && endsInTag(input);
}
