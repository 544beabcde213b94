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
/** Of a whole sample: a few members that all contain themselves, or lists in lists, would grow beyond all bounds. */
const MAX_CHARACTERS = 100_000;

/** What a sample is made of, and about how many characters of JSON it may still grow by. */
interface Sampling {
  readonly root: JsonObject;
  left: number;
}

/**
 * A value that a JSON Schema admits, as small as it may be. Patterns and conditions (`if`, `not`) are not read. Behind
 * 100,000 characters lists end, and what is still required is `null`.
 */
export function sampleValue(schema: unknown): unknown {
  return sampleAt(schema, { root: nodeOf(schema), left: MAX_CHARACTERS }, 0);
}

function sampleAt(given: unknown, sampling: Sampling, depth: number): unknown {
  sampling.left--;
  if (depth > MAX_DEPTH || sampling.left < 0) {
    return null;
  }
  const schema = expanded(given, sampling.root);
  const fixed = [schema.const, schema.default, listOf(schema.enum)[0]].find((value) => value !== undefined);
  if (fixed !== undefined) {
    sampling.left -= JSON.stringify(fixed).length;
    return fixed;
  }
  const choices = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (choices.length > 0) {
    const isNull = depth >= SPARSE_DEPTH;
    const choice = choices.find((one) => (nodeOf(one).type === 'null') === isNull) ?? choices[0];
    return sampleAt(choice, sampling, depth + 1);
  }
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return sampleList(schema, sampling, depth);
    case 'object':
      return sampleObject(schema, sampling, depth);
    default: {
      const text = sampleText(schema);
      sampling.left -= text.length;
      return text;
    }
  }
}

function sampleList({ items, minItems }: JsonObject, sampling: Sampling, depth: number): unknown[] {
  const length = lengthIn(minItems, depth < SPARSE_DEPTH ? 1 : 0);
  const list: unknown[] = [];
  while (list.length < length && sampling.left > 0) {
    list.push(sampleAt(items, sampling, depth + 1));
  }
  return list;
}

function sampleObject(schema: JsonObject, sampling: Sampling, depth: number): unknown {
  const properties = nodeOf(schema.properties);
  const members = listOf(schema.required).map((key) => {
    const name = String(key);
    sampling.left -= name.length;
    return [name, sampleAt(properties[name], sampling, depth + 1)] as const;
  });
  return Object.fromEntries(members);
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
