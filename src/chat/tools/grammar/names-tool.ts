import { type OfferedTools } from '../calls/offered-tools.js';
import { type Input, type Parsing } from '../text/input.js';

/** Members that may stand before the name of a call, and brackets: `{"type": "tool_use", "id": "1",`. */
const BEFORE_NAME =
  /(?:[[{\s,]|"(?:id|type|role|content|index|call_?id|tool_?(?:call|use)_?id)"\s*:\s*(?:"[^"]{0,64}"|null|\d+(?=[,\s]))|"(?:tool_?(?:calls?|uses?)|function|function_?call)"\s*:\s*(?=[[{]))*/iy;

/** `"name": "read_file"`. Group 1: the name. */
const NAME = /"(?:name|tool|tool_?name|function_?name|function|recipient_name)"\s*:\s*"([^"]{1,128})"/iy;

/** A beginning of either. */
const PARTIAL_MEMBER = /^(?:"(?:\w*|\w+"\s*(?::\s*(?:"[^"]{0,128}|[nul]{0,4}|\d*)?)?))?$/;
const MAX_HEAD = 256;

/**
 * Whether JSON at the cursor begins with the name of an offered tool, or with members that may stand before it. Consumes
 * nothing.
 */
export function* namesTool(input: Input, tools: OfferedTools): Parsing<boolean> {
  for (;;) {
    const text = input.text.slice(input.at, input.at + MAX_HEAD);
    BEFORE_NAME.lastIndex = 0;
    BEFORE_NAME.test(text);
    NAME.lastIndex = BEFORE_NAME.lastIndex;
    const rest = text.slice(NAME.lastIndex);
    const name = NAME.exec(text)?.[1];
    if (name !== undefined) {
      return tools.resolve(name) !== undefined;
    }
    if (input.isEnded || text.length === MAX_HEAD || !PARTIAL_MEMBER.test(rest)) {
      return false;
    }
    yield;
  }
}
