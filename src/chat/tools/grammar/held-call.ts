import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { skipCloser, skipMarkers } from '../text/call-markers.js';
import { CharCode } from '../text/char-code.js';
import { CodePassages } from '../text/code-passages.js';
import { Input, type Parsing } from '../text/input.js';
import { type MarkedForm } from '../text/marked-form.js';
import { asNoCall, NotACallError } from '../text/parse-errors.js';
import { CODE_FORM } from '../text/plain-forms.js';
import { peek, readRun, skipWhitespace } from '../text/scan.js';
import { isJsonStart, isNameStart } from './call-fence.js';
import { CallForms } from './call-forms.js';
import { type ParseContext } from './parse-context.js';
import { readPythonCall, readPythonList } from './python-list.js';

const BEFORE_OBJECT = /[^{]*/y;

/** Reads objects of JSON and lists of calls in Python, which are calls if nothing follows them to the end. */
export function* readHeldCalls(context: ParseContext): Parsing<void> {
  const held = yield* holdCalls(context.input);
  const forms = held && new CallForms({ ...context, input: held });
  while (forms && (yield* skipWhitespace(held)) >= 0) {
    yield* forms.undeclared('bare');
  }
}

/** Reads a call whose name is a line of its own, which is one if nothing follows its arguments. */
export function* readHeldNameLine(context: ParseContext, form: MarkedForm): Parsing<void> {
  const { input } = context;
  yield* readRun(input, BEFORE_OBJECT);
  yield* asGuess(readObject(input));
  const content = input.peekKept();
  yield* skipMarkers(input, form.closers);
  if (!(yield* endsBehindClosers(input))) {
    throw new NotACallError();
  }
  yield* new CallForms({ ...context, input: Input.whole(content) }).nameLine(form);
}

/** Reads lines of calls in Python, which are some if nothing else follows. */
export function* readHeldPython(context: ParseContext): Parsing<void> {
  const { input } = context;
  const reader = new LenientJsonReader(input, () => undefined);
  do {
    yield* skipMarkers(input, CODE_FORM.beforeName);
    yield* asGuess(readPythonCall(input, reader));
    yield* skipMarkers(input, CODE_FORM.behindArguments);
    yield* skipWhitespace(input);
  } while (isNameStart(input.text.charAt(input.at)));
  const content = input.peekKept();
  if (reader.isCut || !(yield* endsBehindClosers(input))) {
    throw new NotACallError();
  }
  yield* new CallForms({ ...context, input: Input.whole(content) }).code();
}

/**
 * Consumes a fenced block from the first character of its content, and the white space behind it.
 * @returns its content, as an answer of its own; undefined if text follows, so that the block illustrates that text
 */
export function* readHeldFence(input: Input, mark: string, length: number): Parsing<Input | undefined> {
  let content = '';
  yield* new CodePassages(input, (passed) => (content += passed)).fenceBody(mark, length, false);
  const next = yield* skipWhitespace(input);
  if (next >= 0 && next !== mark.charCodeAt(0)) {
    return undefined;
  }
  return Input.whole(content);
}

/**
 * Consumes objects of JSON and lists of calls in Python, and what closes calls behind them.
 * @returns their text, as an answer of its own; undefined if anything follows, so that they are no calls
 */
function* holdCalls(input: Input): Parsing<Input | undefined> {
  let code = yield* peek(input);
  do {
    yield* asGuess(code === CharCode.braceOpen ? readObject(input) : readPythonList(input));
    code = yield* skipWhitespace(input);
    if (code === CharCode.semicolon) {
      input.at++;
      code = yield* skipWhitespace(input);
    }
  } while (isJsonStart(code));
  const content = input.peekKept();
  return (yield* endsBehindClosers(input)) ? Input.whole(content) : undefined;
}

/** Whether nothing but white space and what closes calls follows. Consumes that. */
function* endsBehindClosers(input: Input): Parsing<boolean> {
  let code = yield* skipWhitespace(input);
  while (code >= 0 && (yield* skipCloser(input))) {
    code = yield* skipWhitespace(input);
  }
  return code < 0;
}

function readObject(input: Input): Parsing<void> {
  return new LenientJsonReader(input, () => undefined).value(() => undefined);
}

function* asGuess(parser: Parsing<void>): Parsing<void> {
  try {
    yield* parser;
  } catch (error) {
    throw asNoCall(error);
  }
}
