import { partialSuffixLength } from '../../completion/stages/partial-suffix.js';
import { type Input, type Parsing } from '../text/input.js';
import { cutOff } from '../text/parse-errors.js';
import { escapeText } from './escape-text.js';

/** Markers behind a call whose texts stand between tokens. */
const CALL_ENDS: readonly string[] = ['<tool_call|>', '<end_function_call>'];

const CLOSERS = '}]';

interface VerbatimOptions {
  /** Receives the content as JSON without quotes, in pieces. */
  readonly write: (content: string) => void;
  readonly repair: (name: string) => void;
}

/**
 * Reads the text between two tokens that stand for quotes; nothing in it is escaped. Without its second token it ends in
 * front of the brackets that close the call: those before a marker that ends it and the answer.
 */
export function* readVerbatimText(
  input: Input,
  token: string,
  { write, repair }: VerbatimOptions,
): Parsing<void> {
  input.at += token.length;
  for (;;) {
    const rest = input.text.slice(input.at);
    const close = rest.indexOf(token);
    const open = close < 0 ? rest.length - partialSuffixLength(rest, token) : close;
    const callEnd = close < 0 ? findCallEnd(rest, input.isEnded) : undefined;
    const end = Math.min(open, callEnd ?? open);
    if (end > 0) {
      input.at += end;
      // Writing can make more text visible, so the window is read again before anything else.
      write(escapeText(rest.slice(0, end)));
    } else if (close === 0) {
      input.at += token.length;
      return;
    } else if (input.isEnded && callEnd === 0) {
      repair('missing_closer');
      return;
    } else if (input.isEnded) {
      throw cutOff('inside a string');
    } else {
      yield;
    }
  }
}

/**
 * Finds the brackets that close the call, if nothing but the marker that ends it follows them.
 * @param isWhole whether no further text can follow; otherwise a beginning of them at the end is found as well
 * @returns where they begin; undefined if there are none
 */
function findCallEnd(text: string, isWhole: boolean): number | undefined {
  const trimmed = text.trimEnd();
  const marker = CALL_ENDS.find((one) => trimmed.endsWith(one));
  if (marker === undefined) {
    const partial = Math.max(...CALL_ENDS.map((one) => partialSuffixLength(text, one)));
    return isWhole ? undefined : startOfClosers(text, text.length - partial);
  }
  const end = trimmed.length - marker.length;
  const start = startOfClosers(text, end);
  return start < end ? start : undefined;
}

/** Offset of the first of the brackets that stand before an offset, white space between them; that offset if none do. */
function startOfClosers(text: string, end: number): number {
  let first = end;
  for (
    let at = end - 1;
    at >= 0 && (CLOSERS.includes(text.charAt(at)) || text.charAt(at).trim() === '');
    at--
  ) {
    first = CLOSERS.includes(text.charAt(at)) ? at : first;
  }
  return first;
}
