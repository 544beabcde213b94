import { type AnswerCalls } from '../calls/answer-calls.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { type OfferedTools } from '../calls/offered-tools.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { type MarkedForm, PLAIN_FORM, skipCloser, skipMarkers } from '../text/call-markers.js';
import { type Input, type Parsing, peek, readRun, skipWhitespace, startsWith } from '../text/input.js';
import { cutOff, MalformedCallError, NotACallError, unknownTool } from '../text/parse-errors.js';
import { isNameStart, maybeFenced } from './call-fence.js';

const OPEN_PARENTHESIS = 0x28;
const OPEN_BRACE = 0x7b;

const NAME = /[^\s<>{}()[\]"'`,=|]*/y;
const MAX_NAME = 128;

/** What some models put behind a name: the number of the call, or a method. */
const SUFFIX = /(?::\d+|\.call)$/;

/** What follows an item of a list of calls; `[name()](address)` is a link. */
const LIST_END = /^\s*(?:,|\](?:[^([:]|$))/;
const MAX_LIST_END = 64;

/** A list of calls in Python up to the first key, and what may become one. */
const LIST_START = /^\[\s*([\w.-]+)\(\s*(\w+)\s*=/;
const BEGUN_LIST = /^\[\s*(?:[\w.-]*|[\w.-]+\(\s*\w*\s*)$/;
const MAX_LIST_START = 256;

/** Whether a list of calls begins at the cursor, wherever that is: one that names a tool and a parameter of it. */
export function* beginsList(input: Input, tools: OfferedTools): Parsing<boolean> {
  while (input.text.charAt(input.at) === '[') {
    const text = input.text.slice(input.at, input.at + MAX_LIST_START);
    const [, name = '', key = ''] = LIST_START.exec(text) ?? [];
    if (name !== '') {
      return tools.resolve(name)?.declares(key) ?? false;
    }
    if (text.length === MAX_LIST_START || input.isEnded || !BEGUN_LIST.test(text)) {
      break;
    }
    yield;
  }
  return false;
}

/** Reads a name that stands as plain text, with what stands around it in this form. */
export function* readCallName(input: Input, form: MarkedForm): Parsing<string> {
  yield* skipMarkers(input, form.beforeName);
  yield* skipWhitespace(input);
  if (!isNameStart(input.text.charAt(input.at))) {
    throw new NotACallError();
  }
  const name = yield* readRun(input, NAME, MAX_NAME);
  yield* skipMarkers(input, form.beforeArguments);
  yield* skipWhitespace(input);
  return name.replace(SUFFIX, '');
}

/**
 * Reads what follows such a name: JSON, if need be in a fence, the keyword arguments of Python, or the end of a call
 * that needs none.
 * @param isListed it is an item of a list that no markup declares to be one of calls
 * @returns whether it was Python, where one call can follow another as it is
 */
export function* readNamedArguments(
  input: Input,
  tools: OfferedTools,
  calls: AnswerCalls,
  name: string,
  isListed: boolean,
): Parsing<boolean> {
  const tool = tools.resolve(name);
  const code = yield* skipWhitespace(input);
  if (code < 0 && tool) {
    throw cutOff('behind the name of the tool');
  }
  if (tool?.required.length === 0 && (yield* skipCloser(input))) {
    calls.open(tool).end();
    calls.close();
    input.keep();
    return false;
  }
  if (code !== OPEN_PARENTHESIS && code !== OPEN_BRACE && !(yield* startsWith(input, '```'))) {
    throw new NotACallError();
  }
  if (!tool) {
    throw unknownTool(name);
  }
  const writer = calls.open(tool);
  const repair = (what: string): void => writer.addRepair(what);
  yield* maybeFenced(input, function* () {
    const reader = new LenientJsonReader(input, repair);
    yield* new JsonArgumentsReader(writer, repair, false).read(reader);
    if (reader.isCut && writer.isLacking) {
      throw cutOff('before all of its arguments are given');
    }
  });
  if (isListed && !writer.isOut && !(yield* endsItem(input))) {
    throw new NotACallError();
  }
  writer.end();
  calls.close();
  input.keep();
  return code === OPEN_PARENTHESIS;
}

/** Reads a call as an item of a list: `[name(key=value), …]`. */
export function* readListedCall(
  input: Input,
  tools: OfferedTools,
  calls: AnswerCalls,
  isForeign: boolean,
): Parsing<void> {
  const name = yield* readCallName(input, PLAIN_FORM);
  if ((yield* peek(input)) !== OPEN_PARENTHESIS) {
    throw new NotACallError();
  }
  try {
    yield* readNamedArguments(input, tools, calls, name, isForeign);
  } catch (error) {
    throw isForeign && error instanceof MalformedCallError && !calls.isCurrentOut
      ? new NotACallError(error.message)
      : error;
  }
}

function* endsItem(input: Input): Parsing<boolean> {
  for (;;) {
    const text = input.text.slice(input.at, input.at + MAX_LIST_END);
    // One character behind the bracket decides.
    if (/[^\s\]]/.test(text) || text.length === MAX_LIST_END || input.isEnded) {
      return LIST_END.test(text);
    }
    yield;
  }
}
