import { type FinishReason } from '../../../upstream/upstream-driver.js';
import { type ToolCallProblem } from '../calls/tool-call-report.js';
import { type AnswerText } from '../text/answer-text.js';
import { announcedForm, skipCloser } from '../text/call-markers.js';
import { CodePassages } from '../text/code-passages.js';
import { type Parsing } from '../text/input.js';
import { LeadIn } from '../text/lead-in.js';
import { LineStart } from '../text/line-start.js';
import { endsInClosingTag, tagAtCursor } from '../text/next-tag.js';
import { MalformedCallError, NotACallError } from '../text/parse-errors.js';
import { endsLine, peek, skipWhitespace } from '../text/scan.js';
import { type Tag } from '../text/tags.js';
import { isJsonStart, readFenceLabel } from './call-fence.js';
import { CallForms } from './call-forms.js';
import { type ParseContext } from './parse-context.js';

/** Ways in which reading stops before the answer ends. */
export interface AnswerHooks {
  /** Ends the answer here. */
  readonly end: (reason: FinishReason) => void;
  /** Reports an unreadable call. @returns whether the answer is given up */
  readonly giveUp: (problem: ToolCallProblem) => boolean;
}

/** Characters where text may turn into something else: markup, code, markers and lists. */
const SPECIAL_CHAR = /[<`~[]/g;

/** Characters within which undeclared JSON must show to be a call; beyond them it is text. */
const MAX_UNDECIDED = 4096;

/**
 * Reads an answer from start to end: text, code passages and calls. Everything that is no call passes as text,
 * unchanged.
 */
export class AnswerReader {
  /** Whether the rest of the answer is ignored. */
  isOver = false;
  /** Why the latest text that looked like a call was none; empty if unknown. */
  lastDoubt = '';
  private readonly line = new LineStart();
  private readonly leadIn = new LeadIn();
  private readonly code: CodePassages;
  private readonly forms: CallForms;

  constructor(
    private readonly context: ParseContext,
    private readonly text: AnswerText,
    private readonly hooks: AnswerHooks,
  ) {
    this.code = new CodePassages(context.input, (passed) => this.pass(passed));
    this.forms = new CallForms(context);
  }

  *read(): Parsing<void> {
    const { input } = this.context;
    yield* this.readStart();
    while (!this.isOver) {
      const { text, at } = input;
      SPECIAL_CHAR.lastIndex = at;
      const found = SPECIAL_CHAR.test(text) ? SPECIAL_CHAR.lastIndex - 1 : text.length;
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

  /** Passes what has arrived of a call of a tool that is not offered, which is known to be text. */
  passUnknownCall(): void {
    if (this.forms.isUnknownCall) {
      this.pass(this.context.input.takeKept());
    }
  }

  /** Reads calls at the very beginning, where some models write JSON or Python without any markup. */
  private *readStart(): Parsing<void> {
    const { input } = this.context;
    input.keep();
    const code = yield* skipWhitespace(input);
    this.passKept();
    if (!(yield* this.readAnnounced()) && isJsonStart(code)) {
      yield* this.readUndeclared();
    }
  }

  private *readUndeclared(): Parsing<void> {
    const { input } = this.context;
    input.keep();
    input.cap(MAX_UNDECIDED);
    yield* this.attempt(this.forms.undeclared('bare'));
  }

  private *readSpecial(char: string): Parsing<void> {
    const { input } = this.context;
    switch (char) {
      case '`':
      case '~':
        yield* this.readCode(char);
        return;
      case '<': {
        const tag = yield* tagAtCursor(input);
        if (tag) {
          yield* this.readTag(tag);
          return;
        }
        if (this.text.isAfterCall && endsInClosingTag(input)) {
          input.at = input.text.length;
          return;
        }
        if (this.line.isBlank && (yield* this.forms.beginsElement())) {
          input.keep();
          yield* this.attempt(this.forms.elements());
          return;
        }
      }
    }
    yield* this.readMarker();
  }

  private *readTag(tag: Tag): Parsing<void> {
    const { input, calls } = this.context;
    const { kind, isClosing, length } = tag;
    const isStructure = kind === 'wrapper' || kind === 'function';
    if (isStructure && !isClosing) {
      input.keep();
      yield* this.attempt(this.forms.tagged());
    } else if ((isStructure || (kind === 'thinking' && isClosing)) && this.text.isAfterCall) {
      input.at += length;
      this.text.dropSpaceAfterCall();
    } else if (kind === 'thinking' && isClosing) {
      input.keep();
      yield* this.attempt(this.forms.behindThinking(this.text.isBlank));
    } else if (yield* this.isFabricated(tag)) {
      calls.note('Cut off what the upstream wrote as if its call had been answered.');
      this.isOver = true;
      this.hooks.end('tool_calls');
    } else {
      this.passNext(length);
    }
  }

  /** Whether the upstream goes on as the tool that answers its call, or as the caller. */
  private *isFabricated({ kind, isClosing, length }: Tag): Parsing<boolean> {
    const { input, calls } = this.context;
    const { isAfterCall } = this.text;
    if (kind === 'result') {
      return calls.total > 0 && !isClosing && (isAfterCall || this.line.isBlank);
    }
    if (kind !== 'role' || !isAfterCall) {
      return false;
    }
    return isClosing || (this.line.isBlank && (yield* endsLine(input, length)));
  }

  private *readMarker(): Parsing<void> {
    if (this.text.isAfterCall && (yield* skipCloser(this.context.input))) {
      this.text.dropSpaceAfterCall();
      return;
    }
    if (yield* this.readAnnounced()) {
      return;
    }
    if (yield* this.forms.beginsPythonList()) {
      yield* this.readUndeclared();
    } else {
      this.passNext(1);
    }
  }

  /** Reads calls that a marker announces. @returns whether one stood at the cursor */
  private *readAnnounced(): Parsing<boolean> {
    const { input } = this.context;
    const form = yield* announcedForm(input);
    if (form) {
      input.keep();
      yield* this.attempt(this.forms.marked(form));
    }
    return form !== undefined;
  }

  private *readCode(mark: string): Parsing<void> {
    const { code } = this;
    const { input } = this.context;
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
    const content = !this.leadIn.explains() && mark === '`' ? yield* readFenceLabel(input) : undefined;
    if (content) {
      yield* this.readFencedCall(mark, length, content);
    } else {
      const hasLabel = !input.peekKept().endsWith('\n');
      this.passKept();
      yield* hasLabel ? code.fence(mark, length) : code.fenceBody(mark, length, true);
    }
  }

  /** Reads a fenced block that may hold calls, from the first character of its content. */
  private *readFencedCall(mark: string, length: number, content: 'json' | 'code'): Parsing<void> {
    const { code } = this;
    const { input, calls } = this.context;
    const totalBefore = calls.total;
    input.cap(MAX_UNDECIDED);
    yield* this.attempt(content === 'json' ? this.forms.undeclared('fenced') : this.forms.code(), 'keep');
    if (this.isOver) {
      return;
    }
    if (calls.total > totalBefore && (yield* peek(input)) === mark.charCodeAt(0)) {
      yield* code.run(mark);
      input.drop();
      return;
    }
    this.passKept();
    yield* code.fenceBody(mark, length, this.line.isBlank);
  }

  /**
   * Runs a parser of calls, and passes what turns out to be none as text.
   * @param spaceBehind whether the white space behind the calls passes or stays kept
   */
  private *attempt(parser: Parsing<void>, spaceBehind: 'pass' | 'keep' = 'pass'): Parsing<void> {
    try {
      yield* parser;
      this.line.advance('.');
      if (spaceBehind === 'pass') {
        this.passKept();
      }
    } catch (error) {
      if (!(error instanceof NotACallError || error instanceof MalformedCallError)) {
        throw error;
      }
      this.fail(error);
    } finally {
      this.context.input.uncap();
      this.forms.isUnknownCall = false;
    }
  }

  private fail(error: NotACallError | MalformedCallError): void {
    const { calls, input } = this.context;
    if (calls.currentHasOutput) {
      // The caller has a part of the call, so the answer ends like a truncated one.
      calls.note(error.message);
      calls.flush();
      this.isOver = true;
      this.hooks.end('length');
      return;
    }
    calls.close();
    this.lastDoubt = error.message || this.lastDoubt;
    const isProblem = error instanceof MalformedCallError && !this.forms.isUnknownCall && !input.isCapped;
    if (isProblem) {
      const problem = { kind: error.kind, detail: error.message, raw: input.peekKept() };
      this.isOver = this.hooks.giveUp(problem);
    }
    this.passKept();
  }

  private passKept(): void {
    const { input } = this.context;
    this.pass(input.takeKept());
    input.drop();
  }

  private passNext(length: number): void {
    const { input } = this.context;
    const start = input.at;
    input.at += length;
    this.pass(input.text.slice(start, input.at));
  }

  private pass(text: string): void {
    if (text !== '' && !this.isOver) {
      this.line.advance(text);
      this.leadIn.advance(text);
      this.text.write(text);
    }
  }
}
