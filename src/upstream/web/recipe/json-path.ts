/** Reads a value out of parsed JSON; undefined where the path leads nowhere. */
export type JsonPath = (value: unknown) => unknown;

const SEGMENT = /\.?([^.[\]"]+)|\[(-?\d+)\]|\["([^"]+)"\]/y;

/**
 * Compiles a path such as `choices[0].delta.content`, `items[-1].text` or `["odd.key"].x`; a leading `$` is allowed.
 * Throws on a malformed path.
 */
export function compileJsonPath(path: string): JsonPath {
  const keys = parse(path);
  return (value) => keys.reduce(step, value);
}

function parse(path: string): (string | number)[] {
  const source = path.replace(/^\$\.?/, '');
  const keys: (string | number)[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < source.length) {
    const match = SEGMENT.exec(source);
    if (!match) {
      throw new Error(`malformed JSON path: ${path}`);
    }
    const [, name, index, quoted] = match;
    keys.push(index === undefined ? (name ?? quoted ?? '') : Number(index));
  }
  return keys;
}

function step(value: unknown, key: string | number): unknown {
  if (typeof key === 'number') {
    return Array.isArray(value) ? (value.at(key) as unknown) : undefined;
  }
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
