import { CharCode } from '../text/char-code.js';
import { type Parsing } from '../text/input.js';
import { tagAtCursor, tagBehindText } from '../text/next-tag.js';
import { endsLine, peek, skipWhitespace } from '../text/scan.js';
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
  const found = yield* tagBehindText(input, 0);
  const isOwn = found?.tag.isClosing && (found.tag.kind === 'wrapper' || found.tag.kind === 'function');
  if (found && isOwn && (yield* endsLine(input, found.offset + found.tag.length))) {
    if (input.text.slice(input.at, input.at + found.offset).trim() !== '') {
      calls.note('Left out text between a call and its closing tag.');
    }
    input.at += found.offset;
    input.keep();
  }
}
