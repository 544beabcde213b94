import { mendJson } from '../json/mend-json.js';
import { arrayNode, parseSourceNode, type SourceNode, stringNode } from './source-node.js';

/** A value that was written in another way than JSON, with the repairs that made it JSON. */
interface ReadNode {
  readonly node: SourceNode;
  readonly repairs: readonly string[];
}

/** The beginning of a list or an object, or of a comment in front of it. */
const BEGINNING = /^(?:[[{]|\/[/*])/;

const FENCE = '```';
const FENCE_LINE = /^```\w*\n/;

/** A closing bracket at the end, which may be one too many. */
const LAST_CLOSER = /[}\]]$/;

/** Nothing but items of a list in YAML or Markdown. */
const BULLETS = /^[-*] \S.*(?:\n[-*] \S.*)*$/;

/**
 * The list or object that a text is in unsound JSON: as Python writes it, with raw line breaks, in a fence, with a closing
 * bracket too many, as objects that no list is around, or as lines of items; undefined if it cannot be read as one.
 * @param mayBeList whether it may be a list that no bracket begins
 */
export function containerNode(text: string, mayBeList = true): ReadNode | undefined {
  const body = withoutFence(text);
  return (
    mended(body) ??
    mended(body.replace(LAST_CLOSER, '')) ??
    (mayBeList && body.startsWith('{') ? mended(`[${body}]`) : undefined) ??
    (mayBeList ? ofBullets(body) : undefined)
  );
}

function withoutFence(text: string): string {
  const [line] = FENCE_LINE.exec(text) ?? [];
  return line !== undefined && text.endsWith(FENCE) ? text.slice(line.length, -FENCE.length).trim() : text;
}

function ofBullets(text: string): ReadNode | undefined {
  const items = BULLETS.test(text) ? text.split('\n').map((line) => stringNode(line.slice(2).trim())) : [];
  return items.length > 0 ? { node: arrayNode(items), repairs: ['lines'] } : undefined;
}

function mended(text: string): ReadNode | undefined {
  const found = BEGINNING.test(text) ? mendJson(text) : undefined;
  const node = found && parseSourceNode(found.json);
  return node && { node, repairs: found.repairs };
}
