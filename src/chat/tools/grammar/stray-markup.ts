import { CharCode } from '../text/char-code.js';
import { type Input, type Parsing } from '../text/input.js';
import { type MarkedForm } from '../text/marked-forms.js';
import { tagAtCursor, tagBehindText } from '../text/next-tag.js';
import { endsLine, peek, skipWhitespace } from '../text/scan.js';
import { endsCall } from '../text/tags.js';
import { type ParseContext } from './parse-context.js';

/** Consumes white space and closing tags of reasoning, which models leave in front of calls and inside them. */
export function* skipThinking({ input }: ParseContext): Parsing<number> {
  for (;;) {
    const code = yield* skipWhitespace(input);
    const tag = code === CharCode.lessThan ? yield* tagAtCursor(input) : undefined;
    if (tag?.kind !== 'thinking' || !tag.isClosing) {
      return code;
    }
    input.at += tag.length;
  }
}

/**
 * Consumes a little text between a call and the closing tag of its wrapper, as in `{"name": …}} ok</tool_call>`. That
 * tag must end its line: in the middle of one it is mentioned in a sentence.
 */
export function* skipTextBeforeCloser({ input, calls }: ParseContext): Parsing<void> {
  if ((yield* peek(input)) < 0) {
    return;
  }
  let found = yield* tagBehindText(input, 0);
  while (found?.tag.isClosing && found.tag.kind === 'parameter') {
    found = yield* tagBehindText(input, found.offset + found.tag.length);
  }
  if (found && endsCall(found.tag) && (yield* endsLine(input, found.offset + found.tag.length))) {
    if (input.text.slice(input.at, input.at + found.offset).trim() !== '') {
      calls.note('Left out text between a call and its closing tag.');
    }
    input.at += found.offset;
    input.keep();
  }
}

/** Brackets, quotes and backticks that models leave behind the arguments of a call. */
const SIGNS = /[\s}\])"'`.,;]*/y;
const MAX_SIGNS = 32;

/** Consumes such signs if a closing marker of the form stands behind them. */
export function* skipSignsBeforeCloser(input: Input, { closers = [] }: MarkedForm): Parsing<void> {
  for (;;) {
    SIGNS.lastIndex = input.at;
    SIGNS.test(input.text);
    const end = SIGNS.lastIndex;
    const rest = input.text.slice(end);
    if (closers.some((closer) => rest.startsWith(closer))) {
      input.at = end;
      input.keep();
      return;
    }
    const mayFollow = end - input.at <= MAX_SIGNS && closers.some((closer) => closer.startsWith(rest));
    if (input.isEnded || !mayFollow) {
      return;
    }
    yield;
  }
}
