import { type Input, type Parsing, peek, skipWhitespace, startsWith } from '../text/input.js';
import { NotACallError } from '../text/parse-errors.js';

const BACKTICK = 0x60;

/** Longer than the label of any fence that holds a call. */
const MAX_LABEL = 20;

/** Fences with these labels may hold calls in JSON, those with the other as code, too. */
const JSON_LABELS: ReadonlySet<string> = new Set([
  '',
  'json',
  'json5',
  'jsonc',
  'tool',
  'tool_call',
  'tool_calls',
  'tool_use',
  'function_call',
]);
const CODE_LABEL = 'tool_code';

/**
 * Consumes the label of a fence and its line break.
 * @returns what follows, if it may be a call
 */
export function* readFenceLabel(input: Input): Parsing<'json' | 'code' | undefined> {
  let label = '';
  for (;;) {
    const code = yield* peek(input);
    if (code < 0 || code === BACKTICK || label.length > MAX_LABEL) {
      return undefined;
    }
    input.at++;
    if (code === 0x0a) {
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

/** Reads JSON that markup declares to be a call, and the fence that models may put around it. */
export function* maybeFenced(input: Input, read: () => Parsing<void>): Parsing<void> {
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
    input.keep();
  }
}

export function isJsonStart(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

/** Whether the name of a tool can begin so. */
export function isNameStart(char: string): boolean {
  return /^[\p{L}_]/u.test(char);
}

function* skipBackticks(input: Input): Parsing<void> {
  while ((yield* peek(input)) === BACKTICK) {
    input.at++;
  }
}
