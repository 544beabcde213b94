import { CharCode } from '../text/char-code.js';
import { type Input, type Parsing } from '../text/input.js';
import { NotACallError } from '../text/parse-errors.js';
import { peek, peekDecisive, skipWhitespace, startsWith } from '../text/scan.js';

/** Characters within which undeclared JSON must show to be a call; beyond them it is text. */
export const MAX_UNDECIDED = 4096;

/** Characters of the longest label that is read; the known ones are shorter. */
const MAX_LABEL_LENGTH = 20;

/** Labels of fences that may hold calls in JSON. */
const JSON_LABELS: ReadonlySet<string> = new Set([
  '',
  'json',
  'json5',
  'jsonc',
  'xml',
  'tool',
  'tool_call',
  'tool_calls',
  'tool_use',
  'function_call',
]);

/** Label of fences that may hold calls in Python as well. */
const CODE_LABEL = 'tool_code';

/**
 * Consumes the label of a fence with its line break, and white space.
 * @returns the form of call that the content may be; undefined if it is none
 */
export function* readFenceLabel(input: Input): Parsing<'json' | 'code' | undefined> {
  let label = '';
  for (;;) {
    const code = yield* peek(input);
    if (code < 0 || code === CharCode.backtick || label.length > MAX_LABEL_LENGTH) {
      return undefined;
    }
    input.at++;
    if (code === CharCode.lineFeed) {
      break;
    }
    label += String.fromCharCode(code);
  }
  label = label.trim().toLowerCase();
  if (!JSON_LABELS.has(label) && label !== CODE_LABEL) {
    return undefined;
  }
  const code = yield* skipWhitespace(input);
  if (isJsonStart(code)) {
    return 'json';
  }
  return label === CODE_LABEL && isNameStart(input.text.charAt(input.at)) ? 'code' : undefined;
}

/**
 * Runs a parser of declared JSON, and reads the fence around it that models may add.
 * @returns whether there was one
 * @throws NotACallError if the fence holds no JSON
 */
export function* readMaybeFenced(input: Input, read: () => Parsing<void>): Parsing<boolean> {
  const isFenced = yield* startsWith(input, '```');
  if (isFenced) {
    yield* skipBackticks(input);
    if ((yield* readFenceLabel(input)) !== 'json') {
      throw new NotACallError();
    }
  }
  yield* read();
  if (isFenced) {
    yield* skipWhitespace(input);
    yield* skipBackticks(input);
  }
  return isFenced;
}

/** The opening of a fence around tags. */
const FENCE_OF_TAGS = /^```\w{0,20}\s*(?=<)/;
const PARTIAL_FENCE = /^`{1,3}\w{0,20}\s*$/;

/** Consumes the backticks and the label in front of tags. @returns whether they stand at the cursor */
export function* skipFenceOfTags(input: Input): Parsing<boolean> {
  const [{ length }] = FENCE_OF_TAGS.exec(yield* peekDecisive(input, PARTIAL_FENCE, Infinity)) ?? [''];
  input.at += length;
  return length > 0;
}

/** Whether an object or an array begins with this character code. */
export function isJsonStart(code: number): boolean {
  return code === CharCode.braceOpen || code === CharCode.bracketOpen;
}

/** Whether the name of a tool can begin with this character. */
export function isNameStart(char: string): boolean {
  return /^[\p{L}_]/u.test(char);
}

function* skipBackticks(input: Input): Parsing<void> {
  while ((yield* peek(input)) === CharCode.backtick) {
    input.at++;
  }
}
