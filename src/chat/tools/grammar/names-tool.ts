import { type OfferedTools } from '../calls/offered-tools.js';
import { type Input, type Parsing } from '../text/input.js';
import { peekDecisive } from '../text/scan.js';

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

/** `f {"a":`. Groups 1: the name, 2: the first key. */
const PLAIN_NAME = /^\s*([\w.-]+)\s*\{\s*["']?([\w$-]+)["']?\s*:/;
const PARTIAL_PLAIN = /^\s*[\w.-]*\s*(?:\{\s*(?:["']?[\w$-]*["']?\s*)?)?$/;

/** Whether the plain name of an offered tool stands at the cursor, with an object that begins with a parameter of it. */
export function* namesToolPlainly(input: Input, tools: OfferedTools): Parsing<boolean> {
  const [, name = '', key = ''] = PLAIN_NAME.exec(yield* peekDecisive(input, PARTIAL_PLAIN, MAX_HEAD)) ?? [];
  return tools.resolve(name)?.declares(key) ?? false;
}

/** A further call right behind one. Groups 1: the name, 2: a marker of arguments, or none of them, 3: the first key. */
const FURTHER = /^\s*(?:call:)?([\w.-]+)\s*(?:(\[ARGS\]|\[CALL_ID\]|\{\s*\})|\{\s*["']?([\w$-]+)["']?\s*:)/;
const PARTIAL_FURTHER = /^\s*(?:call:)?[\w.-]*\s*(?:\[[A-Z_]*|\{\s*(?:["']?[\w$-]*["']?\s*)?)?$/;

/** Whether a further call by a plain name stands at the cursor, without a marker in front. Consumes nothing. */
export function* namesFurtherTool(input: Input, tools: OfferedTools): Parsing<boolean> {
  const [, name = '', marker, key = ''] =
    FURTHER.exec(yield* peekDecisive(input, PARTIAL_FURTHER, MAX_HEAD)) ?? [];
  const tool = tools.resolve(name);
  return tool !== undefined && (marker !== undefined || tool.declares(key));
}

/** `"f": {`, `"f", {`, up to the brace. Group 1: the name. */
const QUOTED_NAME = /^\s*"([^"\n]+)"\s*[,:]?\s*(?=\{)/;
const PARTIAL_QUOTED = /^\s*"[^"\n]*(?:"\s*(?:[,:]\s*)?)?$/;

/** The name of an offered tool in quotes with an object behind it. */
export interface QuotedName {
  readonly name: string;
  /** Characters up to the object. */
  readonly length: number;
}

/** Such a name at the cursor; undefined if there is none. Consumes nothing. */
export function* toolInQuotes(input: Input, tools: OfferedTools): Parsing<QuotedName | undefined> {
  const [{ length } = '', name = ''] =
    QUOTED_NAME.exec(yield* peekDecisive(input, PARTIAL_QUOTED, MAX_HEAD)) ?? [];
  return tools.resolve(name) && { name, length };
}
