import { getOrInsert } from '../memory/get-or-insert.js';
export const REDACTED = '[redacted]';

/** Shorter secrets would occur by chance. */
const MIN_SECRET_LENGTH = 4;

/** A text without the given secrets, neither plain nor in the encodings of JSON and URLs. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const form of formsOf(secrets)) {
    if (redacted.includes(form)) {
      redacted = redacted.replaceAll(form, REDACTED);
    }
  }
  return redacted;
}

/** The same of the beginning of a text, at whose end a secret may have been cut off. */
export function redactCut(text: string, secrets: readonly string[]): string {
  const redacted = redactSecrets(text, secrets);
  const ends = formsOf(secrets).map((form) => cutPlace(redacted, form));
  const end = Math.min(redacted.length, ...ends);
  return end < redacted.length ? redacted.slice(0, end) + REDACTED : redacted;
}

/** Where a text goes over into the beginning of a secret; infinite if it does not. */
function cutPlace(text: string, form: string): number {
  const beginning = form.slice(0, MIN_SECRET_LENGTH);
  for (
    let at = text.indexOf(beginning, Math.max(0, text.length - form.length + 1));
    at >= 0;
    at = text.indexOf(beginning, at + 1)
  ) {
    if (form.startsWith(text.slice(at))) {
      return at;
    }
  }
  return Infinity;
}

interface Forms {
  /** Number of secrets: a list may grow. */
  readonly of: number;
  readonly forms: readonly string[];
}

/** Encodings by list of secrets, since the same list comes with every text. */
const known = new WeakMap<readonly string[], Forms>();

/** Encodings of the secrets, longest first: one secret may be the beginning of another. */
function formsOf(secrets: readonly string[]): readonly string[] {
  let found = known.get(secrets);
  if (found?.of !== secrets.length) {
    const forms = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH).flatMap(encodingsOf);
    found = { of: secrets.length, forms: [...new Set(forms)].sort((a, b) => b.length - a.length) };
    known.set(secrets, found);
  }
  return found.forms;
}

/** Most secrets whose encodings are kept. */
const MAX_ENCODED = 1000;

/** Encodings by secret: a list that comes from another thread is a new one with each message. */
const encoded = new Map<string, readonly string[]>();

function encodingsOf(secret: string): readonly string[] {
  return getOrInsert(encoded, secret, () => {
    if (encoded.size === MAX_ENCODED) {
      encoded.clear();
    }
    return encodings(secret);
  });
}

/** A text as programs write it into JSON, into JSON within JSON, into URLs and into forms. */
function encodings(text: string): string[] {
  const json = inJson(text);
  // Python and PHP write ASCII alone, PHP escapes slashes, Go what has a meaning in HTML.
  const spelt = [json, escaped(json, NOT_ASCII), escaped(json, NOT_ASCII, true), escaped(json, OF_HTML)];
  const jsons = spelt.flatMap((form) => [form, form.replaceAll('/', '\\/')]);
  const wellFormed = text.toWellFormed();
  const url = encodeURIComponent(wellFormed);
  const form = new URLSearchParams([['', wellFormed]]).toString().slice(1);
  return [text, ...jsons, ...jsons.map(inJson), ...[url, form].flatMap((part) => [part, inSmall(part)])];
}

const NOT_ASCII = /[^\0-\x7f]/g;
const OF_HTML = /[<>&]/g;

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** With `\uXXXX` in place of some characters. */
function escaped(json: string, characters: RegExp, inCapitals = false): string {
  return json.replace(characters, (unit) => {
    const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${inCapitals ? code.toUpperCase() : code}`;
  });
}

/** With percent signs before small letters. */
function inSmall(encoded: string): string {
  return encoded.replace(/%../g, (code) => code.toLowerCase());
}
