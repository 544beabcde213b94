import { type Input, type Parsing } from './input.js';

/** A tag without attributes whose name no dialect knows, such as `<city>`: a parameter in a form of its own. */
export interface Element {
  readonly name: string;
  readonly isClosing: boolean;
  /** Characters of the tag. */
  readonly length: number;
}

/** Groups 1: `/` of a closing tag, 2: the name. */
const ELEMENT = /^<(\/?)([\p{L}_][\p{L}\p{N}_.:-]*)\s*\/?>/u;

/** A beginning of that. */
const PARTIAL_ELEMENT = /^<\/?(?:[\p{L}_][\p{L}\p{N}_.:-]*\s*\/?)?$/u;

/** Characters of the longest element; the names of parameters are shorter. */
const MAX_ELEMENT_LENGTH = 80;

/** The element that begins `offset` characters behind the cursor; undefined if there is none. Consumes nothing. */
export function* elementFrom(input: Input, offset = 0): Parsing<Element | undefined> {
  for (;;) {
    const start = input.at + offset;
    const text = input.text.slice(start, start + MAX_ELEMENT_LENGTH);
    const match = ELEMENT.exec(text);
    if (match) {
      return { name: match[2]!, isClosing: match[1] === '/', length: match[0].length };
    }
    const mayBecome = text === '' || (PARTIAL_ELEMENT.test(text) && text.length < MAX_ELEMENT_LENGTH);
    if (input.isEnded || !mayBecome) {
      return undefined;
    }
    yield;
  }
}
