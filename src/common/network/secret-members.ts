import { REDACTED } from './known-secrets.js';
import { HINT_ENDS, isSecret, MAX_NAME_LENGTH } from './secret-names.js';

/**
 * The closing quote of a name that may be a secret's, and the beginning of a text or of a list of texts. The pattern looks
 * back from the quote, since one character is found much faster than many words. In JSON that is written as a text within
 * JSON, quotes have one backslash before them, within that three, then seven.
 */
const HINT = new RegExp(
  String.raw`"(?<=(?:${HINT_ENDS.join('|')})s?\\{0,15}")\s*:\s*(\[\s*)?\\{0,15}"`,
  'gi',
);
const NAME = /^[\w.[\]-]+$/;
/** Between two texts of a list. */
const NEXT_IN_LIST = /\s*,\s*\\*"/y;

/** JSON, or the beginning of it, without texts under secret names, also in JSON that is written as a text within it. */
export function redactMembers(json: string): string {
  let redacted = '';
  let done = 0;
  for (const { index, 0: hint, 1: list } of json.matchAll(HINT)) {
    const backslashes = backslashesBefore(json, index);
    const name = index < done ? undefined : nameBefore(json, index - backslashes);
    if (name === undefined || backslashesBefore(json, index + hint.length - 1) !== backslashes) {
      continue;
    }
    let start: number | undefined = index + hint.length;
    while (start !== undefined) {
      const end = endOfText(json, start, backslashes);
      if (!isSecret(name, json.slice(start, end))) {
        break;
      }
      redacted += json.slice(done, start) + REDACTED;
      done = end;
      start = list === undefined ? undefined : nextInList(json, end + backslashes + 1);
    }
  }
  return redacted + json.slice(done);
}

/** The name of a member that ends before a position. */
function nameBefore(json: string, end: number): string | undefined {
  const from = Math.max(0, end - MAX_NAME_LENGTH);
  const quote = json.slice(from, end).lastIndexOf('"');
  const name = json.slice(from + quote + 1, end);
  return quote >= 0 && NAME.test(name) ? name : undefined;
}

/**
 * Where a text ends whose quotes have so many backslashes before them; the end of the JSON if it is cut off. One more
 * backslash for each of those makes a quote within the text, as do two more for each, and one.
 */
function endOfText(json: string, start: number, backslashes: number): number {
  const ofQuoteWithin = 2 * (backslashes + 1);
  for (let quote = json.indexOf('"', start); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    const before = backslashesBefore(json, quote, start);
    if ((before + 1) % ofQuoteWithin !== 0) {
      return quote - Math.min(before, backslashes);
    }
  }
  return json.length;
}

/** Number of backslashes right before a position. */
function backslashesBefore(json: string, place: number, from = 0): number {
  let first = place;
  while (first > from && json[first - 1] === '\\') {
    first--;
  }
  return place - first;
}

function nextInList(json: string, place: number): number | undefined {
  NEXT_IN_LIST.lastIndex = place;
  return NEXT_IN_LIST.test(json) ? NEXT_IN_LIST.lastIndex : undefined;
}
