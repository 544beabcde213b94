/** A name in the text of a JSON object. */
export interface JsonName {
  /** The names around it, from the outermost to its own. */
  readonly path: readonly string[];
  readonly index: number;
  /** Whether its object has given it before: the parser keeps the last value, and says nothing. */
  readonly isRepeated: boolean;
}

/** A string with the colon that makes it a name, or where an object or list begins or ends. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g;

/** All names in a valid JSON text, in its order. */
export function jsonNames(text: string): readonly JsonName[] {
  const names: JsonName[] = [];
  const around: { readonly given: Set<string>; last: readonly string[] }[] = [];
  for (const { 0: token, 1: quoted, 2: colon, index } of text.matchAll(TOKENS)) {
    const object = around.at(-1);
    if (quoted === undefined) {
      if (token === '{' || token === '[') {
        around.push({ given: new Set(), last: object?.last ?? [] });
      } else {
        around.pop();
      }
    } else if (colon !== undefined && object) {
      const name = JSON.parse(quoted) as string;
      const path = [...(around.at(-2)?.last ?? []), name];
      names.push({ path, index, isRepeated: object.given.has(name) });
      object.given.add(name);
      object.last = path;
    }
  }
  return names;
}
