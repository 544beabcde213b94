import { getOrInsert } from '../../common/memory/get-or-insert.js';
import { isJsonObject } from '../../common/text/json-object.js';

type NamedRules = readonly (readonly [string, unknown])[];

const known = new WeakMap<object, NamedRules>();

/** What a schema says by name or pattern; read once, since thousands of values may come by, and it may be long. */
export function namedRules(rules: unknown): NamedRules {
  if (!isJsonObject(rules)) {
    return [];
  }
  return getOrInsert(known, rules, () => Object.entries(rules));
}
