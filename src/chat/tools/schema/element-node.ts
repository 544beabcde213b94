import { type SchemaKind } from './schema-keywords.js';
import { arrayNode, objectNode, type SourceNode, stringNode } from './source-node.js';

/** Levels of elements within each other beyond which they are text. */
const MAX_DEPTH = 16;

const OPENER = /\s*<([\p{L}\p{N}_][\p{L}\p{N}_.-]*)>/uy;

/** The name by which the items of a list stand in it; models also repeat another, or number them. */
const ITEM = 'item';

type Child = readonly [name: string, content: string];

/** What of the schema of a value decides how its elements are read. */
export interface ElementSchema {
  admits(kind: SchemaKind): boolean;
  /** The schema of a member by its key, or of an item by its index, if only one alternative has any. */
  inner(key: string | number): ElementSchema | undefined;
}

/**
 * A list or an object that is written as elements, `<item>1</item><item>2</item>`, with texts as its values.
 * @returns undefined if the text is anything else
 */
export function elementNode(
  text: string,
  schema: ElementSchema | undefined,
  depth = 0,
): SourceNode | undefined {
  const children = depth < MAX_DEPTH ? childrenOf(text) : [];
  if (children.length === 0) {
    return undefined;
  }
  const isList = holdsItems(children, schema);
  const values = children.map(([name, content], index) =>
    valueNode(content, schema?.inner(isList ? index : name), depth + 1),
  );
  return isList
    ? arrayNode(values)
    : objectNode(values.map((value, index) => ({ key: children[index]![0], value })));
}

function valueNode(content: string, schema: ElementSchema | undefined, depth: number): SourceNode {
  const node = schema?.admits('string') ? undefined : elementNode(content, schema, depth);
  return node ?? stringNode(content);
}

function holdsItems(children: readonly Child[], schema: ElementSchema | undefined): boolean {
  const mayBeObject = schema?.admits('object') ?? true;
  const mayBeList = schema?.admits('array') ?? true;
  const [[first]] = children as [Child];
  const isRepeated = children.every(([name]) => name === first);
  const isSure = first === ITEM || children.length > 1 || !mayBeObject;
  return mayBeList && ((isRepeated && isSure) || children.every(([name], index) => name === String(index)));
}

/** The elements of a text that holds nothing else; none if it does. */
function childrenOf(text: string): Child[] {
  const children: Child[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    OPENER.lastIndex = at;
    const name = OPENER.exec(text)?.[1];
    const start = OPENER.lastIndex;
    const end = name === undefined ? -1 : endOf(text, start, name);
    if (name === undefined || end < 0) {
      return [];
    }
    children.push([name, text.slice(start, end)]);
    at = end + `</${name}>`.length;
  }
  return children;
}

/** Offset of the closing tag of an element whose content begins at an offset; -1 if there is none. */
function endOf(text: string, start: number, name: string): number {
  const [opener, closer] = [`<${name}>`, `</${name}>`];
  let end = text.indexOf(closer, start);
  // Openers are sought in front of the closer only: far behind, they would be sought anew for each element.
  for (let at = start; end >= 0; end = text.indexOf(closer, end + closer.length)) {
    const inner = text.slice(at, end).indexOf(opener);
    if (inner < 0) {
      return end;
    }
    at += inner + opener.length;
  }
  return end;
}
