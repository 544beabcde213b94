import { parsedJson } from '../../../common/text/parsed-json.js';
/** Reads a value out of parsed JSON; undefined where the path leads nowhere. */
export type JsonPath = (value: unknown) => unknown;

/** A part of a path: the name of a key, the place in a list, or the step into a text that is JSON. */
type Key = string | number | typeof WITHIN;

const WITHIN = Symbol('{}');
const SEGMENT = /\.?([^.[\]"{}]+)|\[(-?\d+)\]|\["([^"]+)"\]|\{\}/y;

/**
 * Compiles a path such as `choices[0].delta.content`, `items[-1].text` or `["odd.key"].x`; a leading `$` is allowed. `{}`
 * leads into a text that is JSON again, as in `data{}.text`. Throws on a malformed path.
 */
export function compileJsonPath(path: string): JsonPath {
  const keys = parse(path);
  return (value) => keys.reduce(step, value);
}

function parse(path: string): Key[] {
  const source = path.replace(/^\$\.?/, '');
  const keys: Key[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < source.length) {
    const match = SEGMENT.exec(source);
    if (!match) {
      throw new Error(`malformed JSON path: ${path}`);
    }
    const [, name, index, quoted] = match;
    keys.push(index === undefined ? (name ?? quoted ?? WITHIN) : Number(index));
  }
  return keys;
}

function step(value: unknown, key: Key): unknown {
  if (key === WITHIN) {
    return typeof value === 'string' ? parsedJson(value) : undefined;
  }
  if (typeof key === 'number') {
    return Array.isArray(value) ? (value.at(key) as unknown) : undefined;
  }
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
