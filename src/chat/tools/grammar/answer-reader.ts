import { type FinishReason } from '../../../upstream/upstream-driver.js';
import { type ToolCallProblem } from '../calls/tool-call-report.js';
import { type AnswerText } from '../text/answer-text.js';
import { announcedForm, beginsTurnOfOther, skipCloser } from '../text/call-markers.js';
import { type Parsing } from '../text/input.js';
import { endsInTag, tagAtCursor } from '../text/next-tag.js';
import { MalformedCallError, ParseError, UnknownToolError } from '../text/parse-errors.js';
import { PassingText } from '../text/passing-text.js';
import { Quotation } from '../text/quotation.js';
import { skipWhitespace } from '../text/scan.js';
import { nextSpecialChar } from '../text/special-chars.js';
import { CONTRACT_TAG } from '../text/tag-words.js';
import { type Tag } from '../text/tags.js';
import { isJsonStart, MAX_UNDECIDED } from './call-fence.js';
import { CallForms } from './call-forms.js';
import { exampleLength } from './example.js';
import { isFabricated } from './fabricated.js';
import { type Attempt, FenceReader } from './fence-reader.js';
import { readHeldCalls } from './held-call.js';
import { NameLineReader } from './name-line-reader.js';
import { namesTool } from './names-tool.js';
import { type ParseContext } from './parse-context.js';
import { isLeftOver } from './stray-markup.js';

/** Ways in which reading stops before the answer ends. */
export interface AnswerHooks {
  /** Ends the answer here. */
  readonly end: (reason: FinishReason) => void;
  /** Reports an unreadable call. @returns whether the answer is given up */
  readonly giveUp: (problem: ToolCallProblem) => boolean;
}

/**
 * Reads an answer from start to end: text, code passages and calls. Everything that is no call passes as text,
 * unchanged.
 */
export class AnswerReader {
  /** Why the latest text that looked like a call was none; empty if unknown. */
  lastDoubt = '';
  private readonly plain: PassingText;
  private readonly quotation: Quotation;
  private readonly fences: FenceReader;
  private readonly nameLines: NameLineReader;
  private readonly forms: CallForms;
  /** Whether what is being read begins in the way that the contract asks for. */
  private isByContract = false;

  constructor(
    private readonly context: ParseContext,
    private readonly text: AnswerText,
    private readonly hooks: AnswerHooks,
  ) {
    this.plain = new PassingText(context.input, text);
    this.quotation = new Quotation(context.input, this.plain);
    this.forms = new CallForms(context);
    const attempt: Attempt = (parser, spaceBehind) => this.attempt(parser, spaceBehind);
    this.fences = new FenceReader(context, this.plain, this.forms, attempt);
    this.nameLines = new NameLineReader(context, this.plain, this.forms, attempt);
  }

  /** Whether the rest of the answer is ignored. */
  get isOver(): boolean {
    return this.plain.isOver;
  }

  *read(): Parsing<void> {
    const { input } = this.context;
    yield* this.readStart();
    const { isPrompted } = this.nameLines;
    while (!this.isOver) {
      const { text, at } = input;
      const found = nextSpecialChar(text, at, isPrompted);
      if (found > at) {
        input.at = found;
        this.plain.pass(at === 0 && found === text.length ? text : text.slice(at, found));
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

  /**
   * Passes what has arrived of a call of a tool that is not offered, which is known to be text. An answer that begins with
   * one by the contract is meant as a call, and may be asked for again.
   */
  passUnknownCall(): void {
    if (this.forms.isUnknownCall) {
      this.text.holdFromStart(this.isByContract);
      this.plain.pass(this.context.input.takeKept());
    }
  }

  /** Reads calls at the very beginning, where some models write JSON or Python without any markup. */
  private *readStart(): Parsing<void> {
    const { input } = this.context;
    input.keep();
    const code = yield* skipWhitespace(input);
    this.plain.passKept();
    if (!(yield* this.readAnnounced())) {
      yield* isJsonStart(code) ? this.readUndeclared() : this.nameLines.readStart();
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
        yield* this.fences.read(char);
        return;
      case '{':
        if (this.plain.leadIn.endsInLineBreak && (yield* namesTool(input, this.context.tools))) {
          yield* this.readBare();
        } else {
          this.plain.passNext(1);
        }
        return;
      case '<': {
        const tag = yield* tagAtCursor(input);
        // Some have a tool named like a tag of others: `use_mcp_tool`.
        if (tag && (tag.word === CONTRACT_TAG || !this.context.tools.offers(tag.word))) {
          yield* this.readTag(tag);
          return;
        }
        if (this.text.isAfterCall && endsInTag(input)) {
          input.at = input.text.length;
          return;
        }
        if (this.text.isAfterCall && (yield* this.forms.beginsNamedByElement())) {
          input.keep();
          yield* this.attempt(this.forms.functionNamedByElement());
          return;
        }
        if (this.plain.line.isBlank && (yield* this.forms.beginsElement())) {
          input.keep();
          yield* this.attempt(this.forms.elements());
          return;
        }
      }
    }
    yield* this.readMarker();
  }

  private *readTag(tag: Tag): Parsing<void> {
    const { input } = this.context;
    const { kind, isClosing, length } = tag;
    const isStructure = yield* this.forms.isStructure(tag, this.plain.line.isBlank);
    if (isStructure && (yield* this.quotation.covers(tag))) {
      this.plain.passNext(length);
    } else if (isStructure && !isClosing) {
      this.isByContract = tag.word === CONTRACT_TAG;
      yield* this.readMarkup(() => this.forms.tagged());
      this.isByContract = false;
    } else if ((isStructure || (kind === 'thinking' && isClosing)) && this.text.isAfterCall) {
      input.at += length;
      this.text.dropSpaceAfterCall();
    } else if (isStructure && this.plain.line.isBlank && (yield* isLeftOver(tag, this.context))) {
      input.at += length;
    } else if (kind === 'thinking' && isClosing) {
      input.keep();
      yield* this.attempt(this.forms.behindThinking(this.text.isBlank));
    } else if (yield* isFabricated(tag, this.context, this.text.isAfterCall, this.plain.line.isBlank)) {
      this.cutOffFabricated();
    } else {
      this.plain.passNext(length);
    }
  }

  private cutOffFabricated(): void {
    this.context.calls.note('Cut off what the upstream wrote as if its call had been answered.');
    this.plain.isOver = true;
    this.hooks.end('tool_calls');
  }

  private *readMarker(): Parsing<void> {
    if (this.text.isAfterCall && (yield* skipCloser(this.context.input))) {
      this.text.dropSpaceAfterCall();
      return;
    }
    if (this.text.isAfterCall && (yield* beginsTurnOfOther(this.context.input))) {
      this.cutOffFabricated();
      return;
    }
    if ((yield* this.readAnnounced()) || (yield* this.nameLines.readAt(this.text))) {
      return;
    }
    const { isAfterCall } = this.text;
    if (!(isAfterCall || this.plain.leadIn.endsInLineBreak) || !(yield* this.forms.beginsPythonList())) {
      this.plain.passNext(1);
    } else if (isAfterCall) {
      yield* this.readUndeclared();
    } else {
      yield* this.readBare();
    }
  }

  /** Reads calls that a marker announces. @returns whether one stood at the cursor */
  private *readAnnounced(): Parsing<boolean> {
    const { input } = this.context;
    const form = yield* announcedForm(input);
    if (form && this.quotation.isMention(form, this.text.isAfterCall)) {
      this.plain.passNext(1);
    } else if (form) {
      const beginsLine = this.plain.line.isBlank;
      yield* this.readMarkup(() => this.forms.marked(form, this.text.isAfterCall, beginsLine));
    }
    return form !== undefined;
  }

  /** Reads calls in markup at the cursor, which are an example if the text around them shows it. */
  private *readMarkup(read: () => Parsing<void>): Parsing<void> {
    const { input } = this.context;
    const { leadIn } = this.plain;
    const length = this.text.isAfterCall ? 0 : yield* exampleLength(this.context, leadIn.exampleEnd);
    if (length > 0) {
      leadIn.beginExplaining();
      this.plain.passNext(length);
    } else {
      input.keep();
      yield* this.attempt(read());
    }
  }

  /** Reads calls without markup at the beginning of a line: they are some if nothing presents or follows them. */
  private *readBare(): Parsing<void> {
    const { leadIn } = this.plain;
    if (leadIn.explains() || (leadIn.mayBePresenting && !leadIn.labelsAction)) {
      leadIn.beginExplaining();
      this.plain.passNext(1);
    } else {
      this.context.input.keep();
      yield* this.attempt(readHeldCalls(this.context));
    }
  }

  /**
   * Runs a parser of calls, and passes what turns out to be none as text.
   * @param spaceBehind whether the white space behind the calls passes or stays kept
   */
  private *attempt(parser: Parsing<void>, spaceBehind: 'pass' | 'keep' = 'pass'): Parsing<void> {
    try {
      yield* parser;
      this.plain.line.advance('.');
      if (spaceBehind === 'pass') {
        this.plain.passKept();
      }
    } catch (error) {
      if (!(error instanceof ParseError)) {
        throw error;
      }
      this.fail(error);
    } finally {
      this.context.input.uncap();
      this.forms.forgetUnknownCall();
    }
  }

  private fail(error: ParseError): void {
    const { calls, input } = this.context;
    if (calls.currentHasOutput) {
      // The caller has a part of the call, so the answer ends like a truncated one.
      calls.note(error.message);
      calls.flush();
      this.plain.isOver = true;
      this.hooks.end('length');
      return;
    }
    calls.close();
    this.lastDoubt = error.message || this.lastDoubt;
    const isProblem = error instanceof MalformedCallError && !this.forms.isUnknownCall && !input.isCapped;
    if (isProblem) {
      const problem = { kind: error.kind, detail: error.message, raw: input.peekKept() };
      this.plain.isOver = this.hooks.giveUp(problem);
    }
    this.text.holdFromStart(this.isByContract && error instanceof UnknownToolError);
    // Otherwise a parser that refuses without reading anything would be tried here for ever.
    input.at += input.peekKept() === '' && input.at < input.text.length ? 1 : 0;
    this.plain.passKept();
  }
}
