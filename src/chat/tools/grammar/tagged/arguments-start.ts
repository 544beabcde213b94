import { type CallableTool } from '../../calls/callable-tool.js';
import { type Input, type Parsing } from '../../text/input.js';
import { peekText } from '../../text/scan.js';

/** The beginning of a JSON object. Group 2 or 3: its first key. */
const FIRST_KEY = /^\s*\{\s*(?:(["'])([^"':{}]+)\1\s*|([^"':{}\s][^"':{}]*)):/;
const EMPTY_OBJECT = /^\s*\{\s*\}\s*</;
const MAX_FIRST_KEY = 256;

/** Whether an object that begins with a parameter of the tool stands at the cursor, or an empty one. Consumes nothing. */
export function* beginsArguments(input: Input, tool: CallableTool): Parsing<boolean> {
  const head = yield* peekText(input, MAX_FIRST_KEY);
  const [, , quoted, key = quoted] = FIRST_KEY.exec(head) ?? [];
  return key === undefined ? EMPTY_OBJECT.test(head) : tool.declares(key.trim());
}
