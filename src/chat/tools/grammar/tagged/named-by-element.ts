import { elementFrom } from '../../text/elements.js';
import { type Input, type Parsing } from '../../text/input.js';
import { peekText } from '../../text/scan.js';

/** The beginning of a call whose first element names the tool. */
export interface NamedByElement {
  readonly name: string;
  /** The server of a tool behind the Model Context Protocol; undefined if none is named. */
  readonly server: string | undefined;
  /** Whether a function without a name stands around it: `<invoke><tool_name>f</tool_name>`. */
  readonly isFunction: boolean;
  /** Characters up to behind the name. */
  readonly length: number;
}

const NAMES = 'name|tool_name|function_name|tool|function';
const FUNCTIONS = 'function|invoke';
const IDS = 'id|tool_call_id';
const SERVER = 'server_name';

/** Names of the elements with which such a call begins. */
const FIRST: ReadonlySet<string> = new Set(
  [NAMES, FUNCTIONS, IDS, SERVER].flatMap((names) => names.split('|')),
);

/**
 * `<tool_name>f</tool_name>`, perhaps in a function and behind an id or the server of the tool. Groups 1: the function,
 * 2: the server, 4: the name.
 */
const NAMED = new RegExp(
  String.raw`^(?:<(${FUNCTIONS})>\s*)?(?:<(?:${IDS})>[^<>]*</(?:${IDS})>\s*)?` +
    String.raw`(?:<${SERVER}>\s*([^<>]{1,128}?)\s*</${SERVER}>\s*)?` +
    String.raw`<(${NAMES})\s*>\s*([^<>]{1,128}?)\s*</\3\s*>`,
);
const MAX_LENGTH = 400;

/** The call at the cursor whose tool is named by an element; undefined if there is none. Consumes nothing. */
export function* namedByElement(input: Input): Parsing<NamedByElement | undefined> {
  const element = yield* elementFrom(input);
  if (!element || element.isClosing || !FIRST.has(element.name)) {
    return undefined;
  }
  const [all = '', frame, server, , name] = NAMED.exec(yield* peekText(input, MAX_LENGTH)) ?? [];
  return name === undefined
    ? undefined
    : { name, server, isFunction: frame !== undefined, length: all.length };
}
