import { isJsonObject } from '../../../common/text/json-object.js';
import { mendJson } from '../json/mend-json.js';
import { isContainer } from '../text/elements.js';
import { type Input, type Parsing } from '../text/input.js';
import { peekDecisive, peekText } from '../text/scan.js';
import { type CallableTool } from './callable-tool.js';

/** The beginning of a JSON object, which may stand in a string. Group 2 or 3: its first key. */
const FIRST_KEY = /^\s*"?\s*\{\s*(?:(["'])([^"':{}]+)\1\s*|([^"':{}\s][^"':{}]*)):/;
const EMPTY_OBJECT = /^\s*\{\s*\}\s*[<}]/;
const MAX_FIRST_KEY = 256;

/** Whether an object that begins with a parameter of the tool stands at the cursor, or an empty one. Consumes nothing. */
export function* beginsArguments(input: Input, tool: CallableTool): Parsing<boolean> {
  const head = (yield* peekText(input, MAX_FIRST_KEY)).replaceAll('\\"', '"');
  const [, , quoted, key = quoted] = FIRST_KEY.exec(head) ?? [];
  return key === undefined ? EMPTY_OBJECT.test(head) : tool.declares(key.trim());
}

/** Whether a member that the tool has not can stand for all arguments: by a word for them, or by the tool's own name. */
export function standsForAll(key: string, tool: CallableTool): boolean {
  const mayBe = tool.keys.length > 0 && !tool.declares(key);
  return mayBe && (isContainer(key) || key === tool.name);
}

/** Whether sound JSON is an object of nothing but parameters of the tool, or a string that holds one. */
export function areArguments(json: string, tool: CallableTool): boolean {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'string') {
    const inner = mendJson(value)?.json;
    return inner?.startsWith('{') === true && areArguments(inner, tool);
  }
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  return keys.length > 0 && keys.every((key) => tool.declares(key));
}

/** A member behind an object that is closed already. Groups 1: what stands in front of it, 3: its key. */
const FURTHER_KEY = /^(\s*,\s*)(["'])([^"'{}\n]+)\2\s*:/;
const PARTIAL_FURTHER_KEY = /^\s*(?:,\s*(?:["'][^"'{}\n]*(?:["']\s*)?)?)?$/;
const MAX_FURTHER_KEY = 128;

/** The key of such a member at the cursor, `, "b": 2}`, and where it begins; an empty key if there is none. Consumes nothing. */
export function* furtherMember(input: Input): Parsing<{ readonly key: string; readonly offset: number }> {
  const text = yield* peekDecisive(input, PARTIAL_FURTHER_KEY, MAX_FURTHER_KEY);
  const [, comma = '', , key = ''] = FURTHER_KEY.exec(text) ?? [];
  return { key, offset: comma.length };
}
