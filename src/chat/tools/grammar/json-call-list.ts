import { type CallMode } from '../calls/call-mode.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { CharCode } from '../text/char-code.js';
import { type Parsing } from '../text/input.js';
import { malformed, NotACallError } from '../text/parse-errors.js';
import { skipWhitespace } from '../text/scan.js';
import { isNameStart } from './call-fence.js';
import { JsonObjectCall } from './json-object-call.js';
import { type QuotedName, toolInQuotes } from './names-tool.js';
import { type ParseContext } from './parse-context.js';
import { PlainNameCall } from './plain-name-call.js';

/**
 * The place of a list of calls in the answer:
 *
 *     declared   in a tag or behind a marker that declares it to be calls
 *     fenced     in a fence for JSON, whose content may be anything
 *     bare       in the text itself, so that what follows the list may be text
 */
export type JsonListPlace = 'declared' | 'fenced' | 'bare';

/** Objects within each other that hold calls: far more than messages have, and far less than the stack allows. */
const MAX_DEPTH = 16;

/**
 * Reads calls in JSON: one object, an array of them, or several of either one after the other:
 * `{…}`, `[{…}, {…}]`, `{…}; {…}`. The items of an array may also be calls in Python.
 */
export class JsonCallList {
  private readonly mode: CallMode;
  private readonly totalBefore: number;
  private depth = 0;

  constructor(
    private readonly context: ParseContext,
    private readonly place: JsonListPlace,
  ) {
    this.mode = place === 'declared' ? 'declared' : 'guessed';
    this.totalBefore = context.calls.total;
  }

  /** Reads from the first bracket at the cursor to behind the last. @throws if there is no call in it */
  *read(): Parsing<void> {
    yield* this.readValue();
    if (!this.hasCall) {
      throw this.mode === 'guessed' ? new NotACallError() : malformed('The tool call is empty.');
    }
    yield* this.readFollowing();
  }

  /** Reads one object or array. */
  private *readValue(): Parsing<void> {
    const { input } = this.context;
    // Repairs of the brackets around calls are part of no call's report.
    const reader = new LenientJsonReader(input, () => undefined);
    const first = yield* reader.next();
    if (first !== '[') {
      yield* this.readItem(first, reader, false);
      return;
    }
    reader.enter();
    while (yield* reader.nextItem()) {
      const char = yield* reader.next();
      if (this.hasCall) {
        // The calls so far stay calls, so only the text from here on may still be given back.
        input.keep();
      }
      yield* this.readItem(char, reader, true);
    }
  }

  private *readItem(char: string, reader: LenientJsonReader, isListed: boolean): Parsing<void> {
    const named = yield* this.quotedName(char);
    if (named) {
      this.context.input.at += named.length;
      yield* new PlainNameCall(this.context, 'declared').readArguments(named.name);
    } else if (char === '[' && this.mode === 'declared') {
      yield* this.readNested();
    } else if (char === '{' || (char === '"' && this.mode === 'declared')) {
      yield* this.readObject(isListed);
    } else if (isNameStart(char)) {
      yield* new PlainNameCall(this.context, this.mode).readListItem();
    } else {
      throw this.mode === 'guessed' ? new NotACallError() : reader.unexpected(char, 'a tool call');
    }
  }

  /** The name in front of an object of arguments: `"f": {…}`, or `"f", {…}` in a list. */
  private *quotedName(char: string): Parsing<QuotedName | undefined> {
    const { input, tools } = this.context;
    return char === '"' && this.mode === 'declared' ? yield* toolInQuotes(input, tools) : undefined;
  }

  /** Whether the list has a call that is certain. */
  private get hasCall(): boolean {
    return this.context.calls.total > this.totalBefore;
  }

  private readObject(isListed: boolean): Parsing<void> {
    return new JsonObjectCall(this.context, this.mode, () => this.readNested(), isListed).read();
  }

  /** Reads the calls that an object holds. */
  private *readNested(): Parsing<void> {
    if (this.depth === MAX_DEPTH) {
      throw malformed('The tool call is nested too deep.');
    }
    this.depth++;
    yield* this.readValue();
    this.depth--;
  }

  /**
   * Reads further objects behind the first value, and surplus closing brackets. A tag or a fence closes the list, so
   * the separators in front of it belong to the list; in bare text they may belong to a sentence.
   */
  private *readFollowing(): Parsing<void> {
    const { input } = this.context;
    for (;;) {
      input.keep();
      switch (yield* skipWhitespace(input)) {
        case CharCode.braceOpen:
          yield* this.readObject(false);
          break;
        case CharCode.braceClose:
        case CharCode.bracketClose:
          input.at++;
          break;
        case CharCode.comma:
        case CharCode.semicolon:
          input.at++;
          if (this.place === 'bare' && (yield* skipWhitespace(input)) !== CharCode.braceOpen) {
            return;
          }
          break;
        default:
          return;
      }
    }
  }
}
