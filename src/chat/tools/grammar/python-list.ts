import { type OfferedTools } from '../calls/offered-tools.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { CharCode } from '../text/char-code.js';
import { type Input, type Parsing } from '../text/input.js';
import { NotACallError } from '../text/parse-errors.js';
import { readRun } from '../text/scan.js';

/** `[get_weather(city=`. Groups: the name and the first key. */
const LIST_START = /^\[\s*([\w.-]+)\(\s*(\w+)\s*=/;

/** A beginning of that. */
const PARTIAL_LIST_START = /^\[\s*(?:[\w.-]*|[\w.-]+\(\s*\w*\s*)$/;
const MAX_LIST_START = 256;

const NAME = /[\w.-]*/y;

/** Behind an item stands a comma or the end of the list, which is no link such as `[name()](address)`. */
const ITEM_END = /^\s*(?:,|\](?:[^([:]|$))/;
const MAX_ITEM_END = 64;

/**
 * Whether a list of calls in Python begins at the cursor. Only a list that names an offered tool and one of its
 * parameters counts, because code looks alike. Consumes nothing.
 */
export function* beginsPythonList(input: Input, tools: OfferedTools): Parsing<boolean> {
  while (input.text.charCodeAt(input.at) === CharCode.bracketOpen) {
    const text = input.text.slice(input.at, input.at + MAX_LIST_START);
    const [, name = '', key = ''] = LIST_START.exec(text) ?? [];
    if (name !== '') {
      return tools.resolve(name)?.declares(key) ?? false;
    }
    if (text.length === MAX_LIST_START || input.isEnded || !PARTIAL_LIST_START.test(text)) {
      break;
    }
    yield;
  }
  return false;
}

/** Consumes such a list. @throws ParseError if it holds anything but calls */
export function* readPythonList(input: Input): Parsing<void> {
  const reader = new LenientJsonReader(input, () => undefined);
  reader.enter();
  while (yield* reader.nextItem()) {
    yield* readPythonCall(input, reader);
  }
  if (reader.isCut) {
    throw new NotACallError();
  }
}

/** Consumes a call with keyword arguments. @throws ParseError if it is none */
export function* readPythonCall(input: Input, reader: LenientJsonReader): Parsing<void> {
  yield* readRun(input, NAME);
  if ((yield* reader.next()) !== '(') {
    throw new NotACallError();
  }
  reader.enter();
  while ((yield* reader.nextKey()) !== undefined) {
    yield* reader.value(() => undefined);
  }
}

/** Whether an item of such a list ends at the cursor, or the answer does. Consumes nothing. */
export function* endsListItem(input: Input): Parsing<boolean> {
  for (;;) {
    const text = input.text.slice(input.at, input.at + MAX_ITEM_END);
    // One character behind the bracket decides.
    if (/[^\s\]]/.test(text) || text.length === MAX_ITEM_END) {
      return ITEM_END.test(text);
    }
    if (input.isEnded) {
      return ITEM_END.test(text) || text.trim() === '';
    }
    yield;
  }
}
