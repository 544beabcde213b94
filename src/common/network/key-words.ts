import { REDACTED } from './known-secrets.js';

/** Keys that say what they are by their beginning; `key_path` is no key. */
const MARKED_KEY =
  /\b(?:(?:sk|pk|rk|gsk|hf|xai|sess)[-_]|key[-_](?=[a-z_.-]{0,40}[\d*])|bearer )[\w.*-]{4,}/gi;
/** A word that is long enough for a key. Slashes end one, or the path of a URL would be taken for a key. */
const LONG_WORD = /[\w.*~+=-]{16,}/g;
/** Ids of requests, by which an upstream's support finds them. */
const REQUEST_ID = /^req[_-]/;
/** Parts of names of models, of dates and of UUIDs are shorter. */
const LONG_PART = /[a-z\d]{16,}/gi;

/** What an upstream says, without what may be a key of any provider: whoever refuses one repeats it. */
export function withoutKeys(text: string): string {
  return text
    .replace(MARKED_KEY, REDACTED)
    .replace(LONG_WORD, (word) => (isKeyLike(word) && !REQUEST_ID.test(word) ? REDACTED : word));
}

function isKeyLike(word: string): boolean {
  return (word.match(LONG_PART) ?? []).some((part) => /\d/.test(part) && /[a-z]/i.test(part));
}
