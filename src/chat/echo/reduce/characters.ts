const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u;
export const COMMA = 0x2c;
/** Commas are kept, since lines that were joined by commas are no repetition but a list that was made of them. */
const COMMAS = codesOf(',，、');

export const TAB = 0x09;
export const NEWLINE = 0x0a;
export const RETURN = 0x0d;
export const SPACE = 0x20;
export const PLUS = 0x2b;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
export const BACKTICK = 0x60;
export const PIPE = 0x7c;
export const AMPERSAND = 0x26;
export const LESS = 0x3c;
export const ESCAPE = 0x1b;

/** Receives characters one after the other, with their offsets in a text. */
export interface CharacterSink {
  take(code: number, at: number): void;
}

/** Hands a decoded character of any plane on. @param at offset of what stood for it */
export function takeDecoded(sink: CharacterSink, code: number, at: number): void {
  if (code > 0xffff) {
    const pair = String.fromCodePoint(Math.min(code, 0x10ffff));
    sink.take(pair.charCodeAt(0), at);
    sink.take(pair.charCodeAt(1), at + 1);
  } else {
    sink.take(code, at);
  }
}

export const KEPT = 1;
const SPECIAL = 2;
/** By code unit, what becomes of it in the middle of a line: 0 if it is dropped, 1 if kept, 2 if it is looked at. */
export const KINDS = makeKinds();

/** The last letter with an accent, before the ideographs. */
const LAST_ACCENTED = 0x30ff;
/** By code unit, the letter without its accents, which may follow it as characters of their own; all commas are one. */
export const FOLDED = Uint16Array.from(KINDS, (kind, code) =>
  kind === KEPT && (code <= LAST_ACCENTED || COMMAS.has(code)) ? baseOf(code) : code,
);

export const BULLETS = codesOf('•‣◦▪▫●○■□–—·✓✔✗✘✅❌');
export const DASHES = codesOf('-*');
export const NUMBER_SEPARATORS = codesOf('|→│\t]');
/** Characters with which a line may begin before its text: indentation, quotes, signs around a line number. */
export const PREFIXES = codesOf(' \t>[("#');

/** Whether the two halves of a surrogate pair are a letter or a digit. */
export function isPairKept(high: number, low: number): boolean {
  return LETTER_OR_DIGIT.test(String.fromCharCode(high, low));
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function isWhitespaceCode(code: number): boolean {
  return code === SPACE || code === TAB || code === NEWLINE || code === RETURN;
}

export function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

export function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

function baseOf(code: number): number {
  if (COMMAS.has(code)) {
    return COMMA;
  }
  const [base = '', ...marks] = String.fromCharCode(code).normalize('NFD');
  return marks.every((mark) => KINDS[mark.charCodeAt(0)] === 0) ? base.charCodeAt(0) : code;
}

function makeKinds(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  for (let code = 0; code < kinds.length; code++) {
    const isSpecial =
      [NEWLINE, RETURN, BACKSLASH, AMPERSAND, LESS, ESCAPE].includes(code) || isHigh(code) || isLow(code);
    if (isSpecial) {
      kinds[code] = SPECIAL;
    } else if (COMMAS.has(code) || LETTER_OR_DIGIT.test(String.fromCharCode(code))) {
      kinds[code] = KEPT;
    }
  }
  return kinds;
}

function codesOf(characters: string): ReadonlySet<number> {
  return new Set([...characters].map((character) => character.charCodeAt(0)));
}
