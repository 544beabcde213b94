import { CharCode } from '../text/char-code.js';
import { type Input, type Parsing } from '../text/input.js';
import { type MarkedForm } from '../text/marked-form.js';
import { nextTagFrom, tagAtCursor, tagBehindText } from '../text/next-tag.js';
import { endingSpace, endsLine, peek, peekDecisive, skipWhitespace, startsWith } from '../text/scan.js';
import { endsCall, type Tag } from '../text/tags.js';
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
 * The header of the model's own turn, which leaks into answers, with or without the tokens of its template, and what
 * follows it of gpt-oss, which ends no line there.
 */
const TURN_HEADERS: readonly (readonly [header: string, next?: string])[] = [
  ['assistant\n'],
  ['<|im_start|>assistant\n'],
  ['<|start_header_id|>assistant<|end_header_id|>\n'],
  ['assistant', '<|channel|>'],
  ['assistant', 'commentary to=functions.'],
];

/** Length of such a header at the cursor; 0 if there is none. Consumes nothing. */
export function* turnHeaderLength({ input }: ParseContext): Parsing<number> {
  for (const [header, next = ''] of TURN_HEADERS) {
    if (yield* startsWith(input, header + next)) {
      return header.length;
    }
  }
  return 0;
}

/** Whether a closing tag that begins a line is left over behind all, in an answer with calls. Consumes nothing. */
export function* isLeftOver({ length }: Tag, { calls, input }: ParseContext): Parsing<boolean> {
  return calls.total > 0 && (yield* nextTagFrom(input, length)).isEnd;
}

/** A line of words in front of a call in its wrapper, and the beginning of that call. Group 1: the name in its JSON. */
const REMARK =
  /^(?=\S+[^\S\n]+\S)[^\n<{[`]{1,128}\n\s*(?=<(?:function|invoke)\b|\{\s*"(?:name|tool|tool_name|function)"\s*:\s*"([^"\n]*)")/;

/** A beginning of that. */
const PARTIAL_REMARK =
  /^(?=\S*$|\S+[^\S\n]+(?:\S|$))[^\n<{[`]{1,128}(?:\n\s*(?:<\w*|\{\s*(?:"(?:\w*|\w+"\s*(?::\s*(?:"[^"\n]*)?)?))?)?)?$/;

const MAX_REMARK = 512;

/** Consumes what the model says in front of a call in its wrapper, on a line of its own. @returns whether it does */
export function* skipRemark({ input, calls, tools }: ParseContext): Parsing<boolean> {
  if (!endingSpace(input.peekKept()).includes('\n')) {
    return false;
  }
  const [all = '', name] = REMARK.exec(yield* peekDecisive(input, PARTIAL_REMARK, MAX_REMARK)) ?? [];
  if (all === '' || (name !== undefined && !tools.resolve(name))) {
    return false;
  }
  calls.note('Left out text in front of a call in its tag.');
  input.at += all.length;
  return true;
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

/** What models leave behind the arguments of a call: brackets, quotes and backticks, or words in the same line. */
const STRAY = [/[\s}\])"'`.,;]*/y, /[^<[\n]*/y];
const MAX_STRAY = 64;

/** Consumes such text if a closing marker of the form stands behind it. */
export function* skipTextBeforeMarker(
  { input, calls }: ParseContext,
  { closers = [] }: MarkedForm,
): Parsing<void> {
  for (;;) {
    const ends = STRAY.map((pattern) => endOfRun(pattern, input)).filter(
      (end) => end - input.at <= MAX_STRAY,
    );
    const found = ends.find((end) => closers.some((closer) => input.text.startsWith(closer, end)));
    if (found !== undefined) {
      if (/\w/.test(input.text.slice(input.at, found))) {
        calls.note('Left out text between a call and its closing marker.');
      }
      input.at = found;
      input.keep();
      return;
    }
    const mayFollow = ends.some((end) => closers.some((closer) => closer.startsWith(input.text.slice(end))));
    if (input.isEnded || !mayFollow) {
      return;
    }
    yield;
  }
}

function endOfRun(pattern: RegExp, { text, at }: Input): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}
