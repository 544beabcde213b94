import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';

/** Text of every sample that has no fixed value, and the mark by which the sandbox knows its own samples again. */
export const SAMPLE_TEXT = 'sandbox-sample';
const TEXT_BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  email: 'sandbox@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/** From here on what may be `null` or empty is: schemas that contain themselves end there. */
const SPARSE_DEPTH = 3;
/** The others end here, with `null`. */
const MAX_DEPTH = 6;
/** Upper bound of generated lengths. */
const MAX_LENGTH = 1000;

/** A value that a JSON Schema admits, as small as it may be. Patterns and conditions (`if`, `not`) are not read. */
export function sampleValue(schema: unknown): unknown {
  return sampleAt(schema, nodeOf(schema), 0);
}

function sampleAt(given: unknown, root: JsonObject, depth: number): unknown {
  if (depth > MAX_DEPTH) {
    return null;
  }
  const schema = expanded(given, root);
  const fixed = [schema.const, schema.default, listOf(schema.enum)[0]].find((value) => value !== undefined);
  if (fixed !== undefined) {
    return fixed;
  }
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (choices.length > 0) {
    const isNull = depth >= SPARSE_DEPTH;
    const choice = choices.find((one) => (nodeOf(one).type === 'null') === isNull) ?? choices[0];
    return sampleAt(choice, root, depth + 1);
  }
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array': {
      const item = sampleAt(schema.items, root, depth + 1);
      return Array.from({ length: lengthIn(schema.minItems, depth < SPARSE_DEPTH ? 1 : 0) }, () => item);
    }
    case 'object': {
      const properties = nodeOf(schema.properties);
      return Object.fromEntries(
        listOf(schema.required).map((key) => [key, sampleAt(properties[String(key)], root, depth + 1)]),
      );
    }
    default:
      return sampleText(schema);
  }
}

/** A node merged with the target of its `$ref` and with its `allOf`. */
function expanded(given: unknown, root: JsonObject): JsonObject {
  const node = nodeOf(given);
  const path = typeof node.$ref === 'string' ? /^#\/?(.*)$/.exec(node.$ref)?.[1] : undefined;
  const keys = path?.split('/').filter((key) => key !== '');
  const target = keys?.reduce<unknown>((parent, key) => nodeOf(parent)[key], root);
  return Object.assign({}, nodeOf(target), ...listOf(node.allOf).map(nodeOf), node) as JsonObject;
}

function typeOf({ type, properties, items }: JsonObject): unknown {
  const fallback = properties ? 'object' : items ? 'array' : 'string';
  return Array.isArray(type) ? type.find((one) => one !== 'null') : (type ?? fallback);
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonObject): number {
  const least = numberIn(minimum, numberIn(exclusiveMinimum, 0) + 1);
  return Math.min(least, numberIn(maximum, numberIn(exclusiveMaximum, Infinity) - 1));
}

function sampleText({ format, minLength, maxLength }: JsonObject): string {
  const text = TEXT_BY_FORMAT[String(format)] ?? SAMPLE_TEXT;
  return text.padEnd(lengthIn(minLength, 0), '.').slice(0, lengthIn(maxLength, MAX_LENGTH));
}

function lengthIn(value: unknown, fallback: number): number {
  return Math.min(numberIn(value, fallback), MAX_LENGTH);
}

function numberIn(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nodeOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
