import { announcedForm, skipMarkers } from '../text/call-markers.js';
import { CharCode } from '../text/char-code.js';
import { elementFrom } from '../text/elements.js';
import { type Parsing } from '../text/input.js';
import { CODE_FORM, type MarkedForm, PLAIN_FORM } from '../text/marked-forms.js';
import { tagAtCursor } from '../text/next-tag.js';
import { cutOff, NotACallError, unknownTool } from '../text/parse-errors.js';
import { peek, peekText, skipWhitespace, startsWith } from '../text/scan.js';
import { isJsonStart, isNameStart, readMaybeFenced } from './call-fence.js';
import { ElementCall } from './element-call.js';
import { JsonCallList } from './json-call-list.js';
import { type ParseContext } from './parse-context.js';
import { PlainNameCall } from './plain-name-call.js';
import { beginsPythonList } from './python-list.js';
import { skipTextBeforeCloser, skipThinking } from './stray-markup.js';
import { type CallFrame, TaggedCall } from './tagged-call.js';

/** Elements that name the tool: `<tool_use><name>f</name><arguments>{"a": 1}</arguments></tool_use>`. */
const NAME_ELEMENTS: ReadonlySet<string> = new Set(['name', 'tool_name', 'function_name', 'tool']);

/** Such an element. Group 1: the name of the tool. */
const NAMED =
  /^<(?:name|tool_name|function_name|tool)\s*>\s*([^<>]{1,128}?)\s*<\/(?:name|tool_name|function_name|tool)\s*>/;
const MAX_NAMED = 192;

/**
 * The forms of calls, one method for each way in which one begins. A method reads from the first character of the call
 * and leaves the cursor behind its markup, with the white space there kept, or throws why it is no call.
 */
export class CallForms {
  /** Whether a call of a tool that is not offered is being read, which stays text. */
  isUnknownCall = false;

  constructor(private readonly context: ParseContext) {}

  /** `<tool_call>…` with tags, JSON or a name inside, or `<function=…>` without a wrapper. */
  *tagged(): Parsing<void> {
    const { input } = this.context;
    for (let isWrapped = false; ; isWrapped = true) {
      const code = yield* isWrapped ? skipThinking(this.context) : skipWhitespace(input);
      const tag = code === CharCode.lessThan ? yield* tagAtCursor(input) : undefined;
      if (tag?.kind === 'function' && !tag.isClosing) {
        input.at += tag.length;
        yield* this.readTaggedCall(tag.name, isWrapped ? 'both' : 'function');
        if (isWrapped) {
          yield* skipTextBeforeCloser(this.context);
        }
        return;
      }
      if (isWrapped && code < 0) {
        throw cutOff('right after its opening tag');
      }
      if (isWrapped && (yield* this.readDeclaredJson(code))) {
        yield* skipTextBeforeCloser(this.context);
        return;
      }
      if (isWrapped && !tag && (yield* this.readNamedByElement())) {
        return;
      }
      if (isWrapped && code !== CharCode.lessThan) {
        yield* this.readPlainNames(PLAIN_FORM, true);
        return;
      }
      if (tag?.kind !== 'wrapper' || tag.isClosing) {
        throw new NotACallError();
      }
      input.at += tag.length;
    }
  }

  /** `</think>` in front of a call. @param isStart whether nothing but white space stands before it */
  *behindThinking(isStart: boolean): Parsing<void> {
    const { input } = this.context;
    const code = yield* skipThinking(this.context);
    const tag = code === CharCode.lessThan ? yield* tagAtCursor(input) : undefined;
    if (tag) {
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

  /** `[TOOL_CALLS]…` and other markers, with JSON, tags or names behind them. */
  *marked(form: MarkedForm): Parsing<void> {
    const { input } = this.context;
    yield* skipMarkers(input, form.openers);
    if (yield* this.readDeclaredJson(yield* skipWhitespace(input))) {
      return;
    }
    yield* skipMarkers(input, form.beforeName);
    if ((yield* skipWhitespace(input)) === CharCode.lessThan) {
      yield* this.tagged();
    } else {
      yield* this.readPlainNames(form, false);
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

  /** Python in a fence with the label `tool_code`. */
  *code(): Parsing<void> {
    yield* this.readPlainNames(CODE_FORM, false);
  }

  /** Reads calls whose names stand as plain text. @param isWrapped whether their arguments may be tags */
  private *readPlainNames(form: MarkedForm, isWrapped: boolean): Parsing<void> {
    const { input } = this.context;
    const call = new PlainNameCall(this.context, 'declared');
    let mayGoOn = true;
    while (mayGoOn) {
      const name = yield* call.readName(form);
      if (isWrapped && (yield* this.hasTaggedArguments(name))) {
        yield* this.readTaggedCall(name, 'wrapper');
        return;
      }
      const language = yield* call.readArguments(name);
      if (form.behindArguments) {
        yield* skipMarkers(input, form.behindArguments);
        input.keep();
      }
      yield* skipWhitespace(input);
      mayGoOn = language === 'python' && isNameStart(input.text.charAt(input.at));
    }
  }

  /** Reads `<name>NAME</name>` in a wrapper, and the arguments behind it. @returns false if something else is there */
  private *readNamedByElement(): Parsing<boolean> {
    const { input, tools } = this.context;
    const element = yield* elementFrom(input);
    if (!element || element.isClosing || !NAME_ELEMENTS.has(element.name)) {
      return false;
    }
    const [all = '', name = ''] = NAMED.exec(yield* peekText(input, MAX_NAMED)) ?? [];
    if (name === '') {
      return false;
    }
    if (!tools.resolve(name)) {
      throw unknownTool(name);
    }
    input.at += all.length;
    yield* this.readTaggedCall(name, 'wrapper');
    return true;
  }

  /** Whether a parameter stands behind a name, or the wrapper's closing tag behind the name of a tool that needs none. */
  private *hasTaggedArguments(name: string): Parsing<boolean> {
    const { input, tools } = this.context;
    const tag = (yield* peek(input)) === CharCode.lessThan ? yield* tagAtCursor(input) : undefined;
    return tag?.isClosing
      ? tag.kind === 'wrapper' && tools.resolve(name)?.required.length === 0
      : tag?.kind === 'parameter';
  }

  private *readTaggedCall(name: string, frame: CallFrame): Parsing<void> {
    const { input, tools, calls } = this.context;
    const tool = tools.resolve(name);
    const writer = tool && calls.open(tool);
    this.isUnknownCall = !tool;
    if (tool && tool.name !== name) {
      writer?.addRepair('name');
    }
    yield* new TaggedCall(input, calls, writer, frame).read();
    if (this.isUnknownCall) {
      throw unknownTool(name);
    }
    input.keep();
  }

  /** Reads calls in JSON, or in a fence of it. @returns false if none begin with this character code */
  private *readDeclaredJson(code: number): Parsing<boolean> {
    const { input } = this.context;
    const begins = isJsonStart(code) || (yield* startsWith(input, '```'));
    if (begins) {
      yield* readMaybeFenced(input, () => new JsonCallList(this.context, 'declared').read());
    }
    return begins;
  }
}
