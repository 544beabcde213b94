import { isJsonObject } from '../../../common/text/json-object.js';

/**
 * A value as JSON in one spelling: members sorted by name, no white space. Equal values have equal texts, so that they
 * are found by look-up.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isJsonObject(part) ? sorted(part) : part));
}

/** Longest JSON that is respelled, in characters: longer arguments carry a file, or are made to keep a parser busy. */
const MAX_RESPELLED_CHARS = 100_000;

/**
 * JSON in one spelling, because agents send past calls with other white space and another order of members. Long JSON
 * stays as it is.
 */
export function respelled(json: string): string {
  if (json.length > MAX_RESPELLED_CHARS) {
    return json;
  }
  try {
    return canonicalJson(JSON.parse(json));
  } catch {
    // Unsound JSON, or nested too deeply for `JSON.stringify`.
    return json;
  }
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
