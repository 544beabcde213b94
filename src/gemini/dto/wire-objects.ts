import { invalidField, isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';

/** An object with its members in camel case: the API takes snake case as well, which its examples for curl have. */
export function inCamelCase(object: JsonObject): JsonObject {
  const entries = Object.entries(object);
  return entries.some(([name]) => name.includes('_'))
    ? Object.fromEntries(
        entries.filter(([, value]) => !isAbsent(value)).map(([name, value]) => [camelCase(name), value]),
      )
    : object;
}

/**
 * The members of an object, in camel case; an absent one has none.
 * @throws InvalidRequestError
 */
export function membersOf(value: unknown, param: string): JsonObject {
  if (isAbsent(value)) {
    return {};
  }
  if (!isJsonObject(value)) {
    throw invalidField(param, 'must be an object');
  }
  return inCamelCase(value);
}

/** The elements of a list, for which the API takes a single one as well. */
export function elementsOf(value: unknown): readonly unknown[] {
  if (isAbsent(value)) {
    return [];
  }
  return Array.isArray(value) ? value : [value];
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
