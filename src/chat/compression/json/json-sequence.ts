import { isConfigJson, isErrorJson } from './json-looks.js';
import { readJsonSpan, skipJsonSpace } from './json-reader.js';

/** Where a value that ends on a line of its own is followed by another; a look that spares other texts the reading. */
const NEXT_VALUE = /^[}\]]\s*[{[]/m;

/** The same of arrays, each on a line. */
const NEXT_ARRAY = /\][ \t\r]{0,8}\n[ \t]{0,8}\[/;

/**
 * JSON values of several lines behind each other (`go list -json`, `jq .`, results of several calls) as the items of
 * one array; the last may be cut off, and leaves the array open then. Of arrays on one line each, the items of all.
 * @returns undefined for other texts, for other values on one line each, and if one is an error or a configuration
 */
export function joinSequence(text: string): string | undefined {
  const areArrays = /^\s{0,1000}\[/.test(text) && NEXT_ARRAY.test(text);
  if (!areArrays && !NEXT_VALUE.test(text)) {
    return undefined;
  }
  const values: string[] = [];
  let at = skipJsonSpace(text, 0);
  while (at < text.length && (text[at] === '{' || text[at] === '[')) {
    const node = readJsonSpan(text, at);
    if (!node) {
      break;
    }
    if (isErrorJson(text, node) || isConfigJson(node)) {
      return undefined;
    }
    values.push(text.slice(node.start, node.end));
    at = skipJsonSpace(text, node.end);
  }
  const rest = text.slice(at);
  if (areArrays && rest === '' && values.length > 1 && values.every(isLineOfItems)) {
    return `[${values.map((value) => value.slice(1, -1)).join(',\n')}]`;
  }
  if (!/^(?:[{[]|$)/.test(rest) || values.length + (rest ? 1 : 0) < 2 || !values[0]?.includes('\n')) {
    return undefined;
  }
  return `[${[...values, ...(rest ? [rest] : [])].join(',\n')}${rest ? '' : ']'}`;
}

/** Whether a value is an array of objects on one line. */
function isLineOfItems(value: string): boolean {
  return /^\[\s*\{/.test(value) && !value.includes('\n');
}
