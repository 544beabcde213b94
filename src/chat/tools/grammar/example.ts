import { AnswerCalls } from '../calls/answer-calls.js';
import { announcedForm, beginsTurnOfOther, skipCloser } from '../text/call-markers.js';
import { IncrementalParse } from '../text/incremental-parse.js';
import { Input, type Parsing } from '../text/input.js';
import { type ExampleEnd } from '../text/lead-in.js';
import { tagAtCursor } from '../text/next-tag.js';
import { ParseError } from '../text/parse-errors.js';
import { endingSpace, peekText, skipWhitespace } from '../text/scan.js';
import { MAX_UNDECIDED } from './call-fence.js';
import { CallForms } from './call-forms.js';
import { type ParseContext } from './parse-context.js';

/** What goes on with a sentence right behind what it mentions. */
const GOING_ON = /^[^\S\n]*[,;]?[^\S\n]+\p{Ll}/u;

/** Words by which the sentence goes on about what the model does now, so that the calls are meant. */
const ACTING = /^[^\n.]*(?<!\p{L})(?:i|we|me|wait(?:ing)?|ich|je|yo)(?!\p{L})/iu;
const MAX_GOING_ON = 64;

/**
 * Length of the calls in markup at the cursor if the text behind them shows that they are an example; 0 if they end the
 * answer, are no calls, or are longer than examples. Reads a copy of what has arrived and consumes nothing.
 */
export function* exampleLength({ input, tools }: ParseContext, end: ExampleEnd): Parsing<number> {
  if (!end.byAnyText && !end.byRestOfSentence && end.bySign === '') {
    return 0;
  }
  const copy = new Input();
  const calls = new AnswerCalls({
    isParallel: true,
    nextId: () => '',
    onBegin: () => undefined,
    emit: () => undefined,
  });
  const attempt = new ExampleReader({ input: copy, tools, calls }, end);
  const parse = new IncrementalParse(copy, attempt.read());
  for (let length = 0; ;) {
    copy.push(input.text.slice(input.at + length, input.at + MAX_UNDECIDED));
    length = Math.min(input.text.length - input.at, MAX_UNDECIDED);
    parse.resume();
    if (input.isEnded && length < MAX_UNDECIDED) {
      copy.end();
      parse.resume();
    }
    if (attempt.isOver || length === MAX_UNDECIDED) {
      return attempt.isFollowed ? length - (copy.text.length - copy.at) : 0;
    }
    yield;
  }
}

class ExampleReader {
  isOver = false;
  /** Whether text follows the calls that shows them to be an example. */
  isFollowed = false;
  private readonly forms: CallForms;

  constructor(
    private readonly context: ParseContext,
    private readonly end: ExampleEnd,
  ) {
    this.forms = new CallForms(context);
  }

  *read(): Parsing<void> {
    try {
      yield* this.readCalls();
    } catch (error) {
      if (!(error instanceof ParseError)) {
        throw error;
      }
    }
    this.isOver = true;
  }

  private *readCalls(): Parsing<void> {
    const { input } = this.context;
    for (;;) {
      const form = yield* announcedForm(input);
      yield* form ? this.forms.marked(form, false, true) : this.forms.tagged();
      let code = yield* skipWhitespace(input);
      while (code >= 0 && ((yield* skipCloser(input)) || (yield* this.skipClosingTag()))) {
        input.keep();
        code = yield* skipWhitespace(input);
      }
      if (code < 0 || (yield* beginsTurnOfOther(input))) {
        return;
      }
      const tag = yield* tagAtCursor(input);
      if (tag?.kind === 'result' || tag?.kind === 'role') {
        return;
      }
      if (tag?.kind !== 'wrapper' && tag?.kind !== 'function' && !(yield* announcedForm(input))) {
        this.isFollowed = yield* this.isShown();
        return;
      }
    }
  }

  /** Whether the text at the cursor, with the white space before it, shows that the calls are an example. */
  private *isShown(): Parsing<boolean> {
    const { byAnyText, byRestOfSentence, bySign } = this.end;
    if (byAnyText) {
      return true;
    }
    const { input } = this.context;
    const behind = endingSpace(input.peekKept()) + (yield* peekText(input, MAX_GOING_ON));
    return (
      (bySign !== '' && behind.startsWith(bySign)) ||
      (byRestOfSentence && GOING_ON.test(behind) && !ACTING.test(behind))
    );
  }

  private *skipClosingTag(): Parsing<boolean> {
    const { input } = this.context;
    const tag = yield* tagAtCursor(input);
    if (!tag?.isClosing) {
      return false;
    }
    input.at += tag.length;
    return true;
  }
}
