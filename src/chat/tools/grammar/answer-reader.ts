import { type FinishReason } from '../../../upstream/upstream-driver.js';
import { type AnswerCalls } from '../calls/answer-calls.js';
import { type OfferedTools } from '../calls/offered-tools.js';
import { type ToolCallProblem } from '../calls/tool-call-report.js';
import { type AnswerText } from '../text/answer-text.js';
import { announcedForm, skipCloser } from '../text/call-markers.js';
import { CodePassages } from '../text/code-passages.js';
import { endsLine, type Input, type Parsing, peek, skipWhitespace } from '../text/input.js';
import { LineStart } from '../text/line-start.js';
import { MalformedCallError, NotACallError } from '../text/parse-errors.js';
import { endsInClosingTag, readTag, type Tag } from '../text/tags.js';
import { readFenceLabel } from './call-fence.js';
import { CallForms } from './call-forms.js';

/** What can be done with an answer besides reading on. */
export interface AnswerHooks {
  readonly end: (reason: FinishReason) => void;
  /** @returns whether the answer is given up */
  readonly giveUp: (problem: ToolCallProblem) => boolean;
}

/** Where text may stop being text: markup, code, a marker. */
const SPECIAL = /[<`~[]/g;

/** JSON that no markup declares to be a call is text if it has not shown to be one within so many characters. */
const MAX_UNDECIDED = 4096;

/**
 * Reads the answer from start to end: text, code in it, and calls. What is no call is text, exactly as it came.
 */
export class AnswerReader {
  /** Nothing that follows counts. */
  isOver = false;
  /** Why what looked like a call was none, if that is known. */
  lastDoubt = '';
  private readonly line = new LineStart();
  private readonly code: CodePassages;
  private readonly blocks: CallForms;

  constructor(
    private readonly input: Input,
    private readonly text: AnswerText,
    private readonly calls: AnswerCalls,
    tools: OfferedTools,
    private readonly hooks: AnswerHooks,
  ) {
    this.code = new CodePassages(input, (passed) => this.pass(passed));
    this.blocks = new CallForms(input, tools, calls);
  }

  *read(): Parsing<void> {
    const { input } = this;
    yield* this.readStart();
    while (!this.isOver) {
      const { text, at } = input;
      SPECIAL.lastIndex = at;
      const found = SPECIAL.test(text) ? SPECIAL.lastIndex - 1 : text.length;
      if (found > at) {
        input.at = found;
        this.pass(at === 0 && found === text.length ? text : text.slice(at, found));
      }
      if (found < text.length) {
        yield* this.readSpecial(text.charAt(found));
      } else if (input.isEnded) {
        return;
      } else {
        yield;
      }
    }
  }

  /** A call of a tool that is not offered goes on as it arrives. */
  passUnknownCall(): void {
    if (this.blocks.isPassing) {
      this.pass(this.input.takeKept());
    }
  }

  /** Some models answer with bare calls in JSON or Python, and nothing before them. */
  private *readStart(): Parsing<void> {
    const { input } = this;
    input.keep();
    const code = yield* skipWhitespace(input);
    this.passKept();
    if (!(yield* this.readAnnounced()) && (code === 0x7b || code === 0x5b)) {
      yield* this.readUnmarked();
    }
  }

  /** JSON or Python that can turn out to be no call. */
  private *readUnmarked(): Parsing<void> {
    this.input.keep();
    this.input.cap(MAX_UNDECIDED);
    yield* this.attempt(this.blocks.foreign(false));
  }

  private *readSpecial(char: string): Parsing<void> {
    switch (char) {
      case '`':
      case '~':
        yield* this.readCode(char);
        return;
      case '<': {
        const tag = yield* readTag(this.input);
        if (tag) {
          yield* this.readTagged(tag);
          return;
        }
        if (this.text.isAfterCall && endsInClosingTag(this.input)) {
          this.input.at = this.input.text.length;
          return;
        }
      }
    }
    yield* this.readMarker();
  }

  private *readTagged(tag: Tag): Parsing<void> {
    const { kind, isClosing, length } = tag;
    const isStructure = kind === 'wrapper' || kind === 'function';
    if (isStructure && !isClosing) {
      this.input.keep();
      yield* this.attempt(this.blocks.tagged());
    } else if (isStructure && this.text.isAfterCall) {
      this.input.at += length;
      this.text.dropSpaceAfterCall();
    } else if (yield* this.isFabricated(tag)) {
      this.calls.note('Cut off what the upstream wrote as if its call had been answered.');
      this.isOver = true;
      this.hooks.end('tool_calls');
    } else {
      this.passNext(length);
    }
  }

  /** Whether the upstream goes on as if it were the tool, or the caller, that follows its call. */
  private *isFabricated({ kind, isClosing, length }: Tag): Parsing<boolean> {
    const { isAfterCall } = this.text;
    if (kind === 'result') {
      return this.calls.total > 0 && !isClosing && (isAfterCall || this.line.isBlank);
    }
    if (kind !== 'role' || !isAfterCall) {
      return false;
    }
    return isClosing || (this.line.isBlank && (yield* endsLine(this.input, length)));
  }

  private *readMarker(): Parsing<void> {
    const { input } = this;
    if (this.text.isAfterCall && (yield* skipCloser(input))) {
      this.text.dropSpaceAfterCall();
      return;
    }
    if (yield* this.readAnnounced()) {
      return;
    }
    if (yield* this.blocks.beginsList()) {
      yield* this.readUnmarked();
    } else {
      this.passNext(1);
    }
  }

  /** Calls that a marker announces, if one stands at the cursor. */
  private *readAnnounced(): Parsing<boolean> {
    const form = yield* announcedForm(this.input);
    if (form) {
      this.input.keep();
      yield* this.attempt(this.blocks.marked(form));
    }
    return form !== undefined;
  }

  private *readCode(mark: string): Parsing<void> {
    const { input, code } = this;
    const isLineStart = this.line.isBlank;
    input.keep();
    const length = yield* code.run(mark);
    if (!isLineStart || !CodePassages.isFence(length)) {
      this.passKept();
      if (mark === '`') {
        yield* code.inline(length);
      }
      return;
    }
    const content = mark === '`' ? yield* readFenceLabel(input) : undefined;
    if (content) {
      yield* this.readFencedCall(mark, length, content);
    } else {
      const hasLabel = !input.peekKept().endsWith('\n');
      this.passKept();
      yield* hasLabel ? code.fence(mark, length) : code.fenceRest(mark, length, true);
    }
  }

  /** A fenced block that may be a call, from its first character on. */
  private *readFencedCall(mark: string, length: number, content: 'json' | 'code'): Parsing<void> {
    const { input, code } = this;
    const before = this.calls.total;
    input.cap(MAX_UNDECIDED);
    yield* this.attempt(content === 'json' ? this.blocks.foreign(true) : this.blocks.code(), false);
    if (this.isOver) {
      return;
    }
    if (this.calls.total > before && (yield* peek(input)) === mark.charCodeAt(0)) {
      yield* code.run(mark);
      input.drop();
      return;
    }
    this.passKept();
    yield* code.fenceRest(mark, length, this.line.isBlank);
  }

  /** Reads a call; what turns out to be none is passed as text. */
  private *attempt(parsing: Parsing<void>, passSpace = true): Parsing<void> {
    try {
      yield* parsing;
      this.line.advance('.');
      if (passSpace) {
        this.passKept();
      }
    } catch (error) {
      if (!(error instanceof NotACallError || error instanceof MalformedCallError)) {
        throw error;
      }
      this.fail(error);
    } finally {
      this.input.uncap();
      this.blocks.isPassing = false;
    }
  }

  private fail(error: NotACallError | MalformedCallError): void {
    const { calls, input } = this;
    if (calls.isCurrentOut) {
      // Part of it is with the caller: an answer that was cut short is what it is now.
      calls.note(error.message);
      calls.flush();
      this.isOver = true;
      this.hooks.end('length');
      return;
    }
    calls.close();
    this.lastDoubt = error.message || this.lastDoubt;
    const isProblem = error instanceof MalformedCallError && !this.blocks.isPassing && !input.isCapped;
    if (isProblem) {
      const problem = { kind: error.kind, detail: error.message, raw: input.peekKept() };
      this.isOver = this.hooks.giveUp(problem);
    }
    this.passKept();
  }

  private passKept(): void {
    this.pass(this.input.takeKept());
    this.input.drop();
  }

  private passNext(length: number): void {
    const { input } = this;
    const start = input.at;
    input.at += length;
    this.pass(input.text.slice(start, input.at));
  }

  private pass(text: string): void {
    if (text !== '' && !this.isOver) {
      this.line.advance(text);
      this.text.write(text);
    }
  }
}
