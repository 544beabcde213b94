import { skipComment } from '../json/comment.js';
import { announcedForm, skipMarkers } from '../text/call-markers.js';
import { CharCode } from '../text/char-code.js';
import { type Parsing } from '../text/input.js';
import { type MarkedForm } from '../text/marked-form.js';
import { nextTagFrom, tagAtCursor } from '../text/next-tag.js';
import { cutOff, NotACallError } from '../text/parse-errors.js';
import { CODE_FORM, PLAIN_FORM } from '../text/plain-forms.js';
import { peek, skipWhitespace, startsWith } from '../text/scan.js';
import { beginsCall, isClosing, isOpening, type Tag } from '../text/tags.js';
import { isJsonStart, isNameStart, readMaybeFenced, skipFenceOfTags } from './call-fence.js';
import { DelimitedCalls } from './delimited-calls.js';
import { ElementCall } from './element-call.js';
import { JsonCallList } from './json-call-list.js';
import { namesFurtherTool, namesTool, namesToolPlainly, toolInQuotes } from './names-tool.js';
import { type ParseContext } from './parse-context.js';
import { PlainNameCall } from './plain-name-call.js';
import { beginsPythonList } from './python-list.js';
import { skipRemark, skipTextBeforeCloser, skipTextBeforeMarker, skipThinking } from './stray-markup.js';
import { isEmptyTag } from './tagged/given-attributes.js';
import { isLast } from './tagged/last-call.js';
import { namedByElement } from './tagged/named-by-element.js';
import { TaggedCalls } from './tagged/tagged-calls.js';

/**
 * The forms of calls, one method for each way in which one begins. A method reads from the first character of the call
 * and leaves the cursor behind its markup, with the white space there kept, or throws why it is no call.
 */
export class CallForms {
  private readonly tags: TaggedCalls;

  constructor(private readonly context: ParseContext) {
    this.tags = new TaggedCalls(context);
  }

  /** Whether a call of a tool that is not offered is being read, which stays text. */
  get isUnknownCall(): boolean {
    return this.tags.isUnknown;
  }

  /** To be called when a call was read, or none. */
  forgetUnknownCall(): void {
    this.tags.isUnknown = false;
  }

  /** `<tool_call>…` with tags, JSON or a name inside, or `<function=…>` without a wrapper. */
  *tagged(): Parsing<void> {
    const { input } = this.context;
    for (let isWrapped = false; ; isWrapped = true) {
      const code = yield* isWrapped ? skipThinking(this.context) : skipWhitespace(input);
      if (isWrapped && code === CharCode.backtick && (yield* skipFenceOfTags(input))) {
        continue;
      }
      if (isWrapped && code === CharCode.lessThan && (yield* skipComment(input))) {
        continue;
      }
      const tag = code === CharCode.lessThan ? yield* tagAtCursor(input) : undefined;
      if (tag && this.beginsFunction(tag)) {
        yield* this.tags.read(tag.name, isWrapped ? 'both' : 'function', tag.length);
        if (isWrapped) {
          yield* skipTextBeforeCloser(this.context);
        }
        return;
      }
      if (isWrapped && code < 0) {
        if (this.context.calls.total > 0) {
          // Written in place of the closing tag of the last call.
          input.keep();
          return;
        }
        throw cutOff('right after its opening tag');
      }
      if (isWrapped && (yield* this.readDeclaredJson(code))) {
        yield* skipTextBeforeCloser(this.context);
        return;
      }
      if (isWrapped && !tag && (yield* this.tags.readNamed(code))) {
        return;
      }
      if (isWrapped && code !== CharCode.lessThan && (yield* skipRemark(this.context))) {
        continue;
      }
      if (isWrapped && code !== CharCode.lessThan) {
        yield* this.readPlainNames(PLAIN_FORM, true);
        return;
      }
      if (tag?.kind !== 'wrapper' || tag.isClosing) {
        throw new NotACallError();
      }
      if (this.context.tools.offers(tag.name)) {
        // `<tool_call name="f">`
        yield* this.tags.read(tag.name, 'wrapper', tag.length);
        return;
      }
      input.at += tag.length;
    }
  }

  /** Whether this is the tag of a function, which models mistake for that of a parameter: `<parameter=f>`. */
  private beginsFunction({ kind, name, isClosing }: Tag): boolean {
    const isMistaken = kind === 'parameter' && this.context.tools.offers(name);
    return !isClosing && (kind === 'function' || isMistaken);
  }

  /**
   * Whether a tag at the cursor is around a call or its parameters; a mistaken one if the structure of a call follows it.
   * @param beginsLine whether it begins a line
   */
  *isStructure(tag: Tag, beginsLine: boolean): Parsing<boolean> {
    const { input } = this.context;
    if (tag.name !== '' && isEmptyTag(input.text.slice(input.at, input.at + tag.length))) {
      // A whole call in a form that prose mentions as well.
      return beginsLine && (yield* isLast(input, tag.length));
    }
    if (tag.kind !== 'parameter' || !beginsLine || !this.beginsFunction(tag)) {
      return tag.kind === 'wrapper' || tag.kind === 'function';
    }
    const { tag: next } = yield* nextTagFrom(input, tag.length);
    return next !== undefined && (isOpening(next, 'parameter') || isClosing(next, 'function'));
  }

  /** `</think>` in front of a call. @param isStart whether nothing but white space stands before it */
  *behindThinking(isStart: boolean): Parsing<void> {
    const { input } = this.context;
    const code = yield* skipThinking(this.context);
    if (code === CharCode.lessThan && (yield* tagAtCursor(input))) {
      yield* this.tagged();
      return;
    }
    const form = yield* announcedForm(input);
    if (form) {
      yield* this.marked(form);
    } else if (isStart && isJsonStart(code)) {
      yield* this.undeclared('bare');
    } else {
      throw new NotACallError();
    }
  }

  /** Whether a tag at the cursor is named like an offered tool. Consumes nothing. */
  *beginsElement(): Parsing<boolean> {
    return yield* ElementCall.begins(this.context);
  }

  /** `<f><a>1</a></f>`, tags that are named like a tool and its parameters. */
  *elements(): Parsing<void> {
    yield* new ElementCall(this.context).read();
  }

  /**
   * `[TOOL_CALLS]…` and other markers, with JSON, tags or names behind them, or with nothing right behind a call.
   * @param beginsLine whether a plain name may follow a tag that is around other things than calls as well
   */
  *marked(form: MarkedForm, isBehindCall = false, beginsLine = false): Parsing<void> {
    const { input } = this.context;
    if (form.delimited) {
      yield* skipMarkers(input, [form.delimited.opener]);
      yield* new DelimitedCalls(this.context, form.delimited).read();
      return;
    }
    if (form.isGuess && beginsLine && (yield* this.beginsElement())) {
      yield* this.elements();
      return;
    }
    yield* skipMarkers(input, form.openers);
    if (isBehindCall && (yield* skipWhitespace(input)) < 0) {
      // Written in place of the marker that closes the last call.
      input.keep();
      return;
    }
    const mayBeginName = isBehindCall || beginsLine;
    if (form.isGuess && !(mayBeginName && (yield* namesToolPlainly(input, this.context.tools)))) {
      yield* this.undeclared('fenced');
      return;
    }
    yield* skipMarkers(input, form.beforeName);
    const code = yield* skipWhitespace(input);
    if (yield* this.readDeclaredJson(code)) {
      yield* skipTextBeforeMarker(this.context, form);
      return;
    }
    if (code === CharCode.lessThan) {
      yield* this.tagged();
    } else {
      yield* this.readPlainNames(form, false);
      yield* skipTextBeforeMarker(this.context, form);
    }
  }

  /** Whether a list of calls in Python begins at the cursor. Consumes nothing. */
  *beginsPythonList(): Parsing<boolean> {
    return yield* beginsPythonList(this.context.input, this.context.tools);
  }

  /** JSON, or a list in Python, that nothing declares to be calls. */
  *undeclared(place: 'fenced' | 'bare'): Parsing<void> {
    yield* new JsonCallList(this.context, place).read();
  }

  /**
   * `>>>f\n{"a": 1}` of Functionary, or another form in which lines hold the name.
   * @param isWrapped whether the arguments may be tags, with an opening tag in the prompt
   */
  *nameLine(form: MarkedForm, isWrapped = false): Parsing<void> {
    yield* this.readPlainNames(form, isWrapped);
  }

  /** Python in a fence with the label `tool_code`. */
  *code(): Parsing<void> {
    yield* this.readPlainNames(CODE_FORM, false);
  }

  /** Reads calls whose names stand as plain text. @param isWrapped whether their arguments may be tags */
  private *readPlainNames(form: MarkedForm, isWrapped: boolean): Parsing<void> {
    const { input, tools } = this.context;
    const call = new PlainNameCall(this.context, 'declared');
    let mayGoOn = true;
    while (mayGoOn) {
      const name = yield* call.readName(form);
      if (isWrapped) {
        yield* skipThinking(this.context);
      }
      if (isWrapped && (yield* this.tags.beginArguments(name))) {
        yield* this.tags.read(name, 'wrapper', 0);
        return;
      }
      if (!isWrapped && (yield* this.hasWholeCall(name))) {
        yield* this.readDeclaredJson(CharCode.braceOpen);
        return;
      }
      const tag = form.isAddressed && tools.resolve(name) ? yield* tagAtCursor(input) : undefined;
      if (tag && beginsCall(tag)) {
        yield* this.tagged();
        return;
      }
      const language = yield* call.readArguments(name, form.end);
      if (form.behindArguments) {
        yield* skipMarkers(input, form.behindArguments);
        input.keep();
      }
      yield* skipWhitespace(input);
      mayGoOn =
        (language === 'python' && isNameStart(input.text.charAt(input.at))) ||
        (yield* namesFurtherTool(input, tools));
    }
  }

  /** Whether an id of another wire format stands in place of a name, with the whole call behind it. */
  private *hasWholeCall(name: string): Parsing<boolean> {
    const { input, tools } = this.context;
    const mayBe = tools.resolve(name) === undefined && (yield* peek(input)) === CharCode.braceOpen;
    return mayBe && (yield* namesTool(input, tools));
  }

  /** Whether a function begins at the cursor whose name is an element. Consumes nothing. */
  *beginsNamedByElement(): Parsing<boolean> {
    return (yield* namedByElement(this.context.input))?.isFunction ?? false;
  }

  /** `<invoke><tool_name>f</tool_name>…` without a wrapper. */
  *functionNamedByElement(): Parsing<void> {
    yield* this.tags.readNamedByElement();
  }

  /** Reads calls in JSON, or in a fence of it. @returns false if none begin with this character code */
  private *readDeclaredJson(code: number): Parsing<boolean> {
    const { input, tools } = this.context;
    const lacksBrace =
      code === CharCode.quote &&
      ((yield* namesTool(input, tools)) || (yield* toolInQuotes(input, tools)) !== undefined);
    const begins = lacksBrace || isJsonStart(code) || (yield* startsWith(input, '```'));
    if (begins && (yield* readMaybeFenced(input, () => new JsonCallList(this.context, 'declared').read()))) {
      input.keep();
    }
    return begins;
  }
}
