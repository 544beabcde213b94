import { type AnswerCalls } from '../calls/answer-calls.js';
import { type OfferedTools } from '../calls/offered-tools.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { type Input, type Parsing, skipWhitespace } from '../text/input.js';
import { malformed, NotACallError } from '../text/parse-errors.js';
import { isNameStart } from './call-fence.js';
import { JsonObjectCall } from './json-object-call.js';
import { readListedCall } from './plain-name-call.js';

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;

/**
 * Reads calls as JSON: an object, an array of objects, or several of them one after the other; the items of an array
 * may be calls in Python, too. The cursor stands at the first bracket, and is left behind the last.
 * @param isForeign no markup around them says that they are calls: only what has the form of a call counts
 * @param isContained something behind them ends them, so that separators between them are theirs
 */
export function* readJsonCalls(
  input: Input,
  tools: OfferedTools,
  calls: AnswerCalls,
  isForeign: boolean,
  isContained: boolean,
): Parsing<void> {
  const before = calls.total;
  const ignoreRepair = (): void => undefined;
  const readCall = (): Parsing<void> =>
    new JsonObjectCall(input, { tools, calls, isForeign, readCalls }).read();

  function* readCalls(): Parsing<void> {
    const reader = new LenientJsonReader(input, ignoreRepair);
    let char = yield* reader.next();
    if (char !== '[') {
      yield* readItem(char, reader);
      return;
    }
    reader.enter();
    for (; yield* reader.nextItem();) {
      char = yield* reader.next();
      if (calls.total > before) {
        input.keep();
      }
      yield* readItem(char, reader);
    }
  }

  function* readItem(char: string, reader: LenientJsonReader): Parsing<void> {
    if (char === '{') {
      yield* readCall();
    } else if (isNameStart(char)) {
      yield* readListedCall(input, tools, calls, isForeign);
    } else {
      throw isForeign ? new NotACallError() : reader.unexpected(char, 'a tool call');
    }
  }

  yield* readCalls();
  if (calls.total === before) {
    throw isForeign ? new NotACallError() : malformed('The tool call is empty.');
  }
  for (;;) {
    input.keep();
    switch (yield* skipWhitespace(input)) {
      case OPEN_BRACE:
        yield* readCall();
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        input.at++;
        break;
      case COMMA:
      case SEMICOLON:
        if (!isContained) {
          return;
        }
        input.at++;
        break;
      default:
        return;
    }
  }
}
