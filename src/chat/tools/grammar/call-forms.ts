import { type AnswerCalls } from '../calls/answer-calls.js';
import { type OfferedTools } from '../calls/offered-tools.js';
import { CODE_FORM, type MarkedForm, PLAIN_FORM, skipMarkers } from '../text/call-markers.js';
import { type Input, type Parsing, peek, skipWhitespace, startsWith } from '../text/input.js';
import { cutOff, NotACallError, unknownTool } from '../text/parse-errors.js';
import { readTag } from '../text/tags.js';
import { isJsonStart, isNameStart, maybeFenced } from './call-fence.js';
import { readJsonCalls } from './json-call-list.js';
import { beginsList, readCallName, readNamedArguments } from './plain-name-call.js';
import { type CallFrame, TaggedCall } from './tagged-call.js';

const LESS_THAN = 0x3c;

/**
 * The forms in which calls come, each from its first character on. Each leaves the cursor where its markup ends, with
 * white space behind it kept, or throws what it found instead.
 */
export class CallForms {
  /** A call of a tool that is not offered is being read: it is text. */
  isPassing = false;

  constructor(
    private readonly input: Input,
    private readonly tools: OfferedTools,
    private readonly calls: AnswerCalls,
  ) {}

  /** `<tool_call>…`, or `<function=…>` without it: tags, or JSON, if need be in a fence, or a name. */
  *tagged(): Parsing<void> {
    const { input } = this;
    for (let isWrapped = false; ; isWrapped = true) {
      const code = yield* skipWhitespace(input);
      const tag = code === LESS_THAN ? yield* readTag(input) : undefined;
      if (tag?.kind === 'function' && !tag.isClosing) {
        input.at += tag.length;
        yield* this.xmlCall(tag.name, isWrapped ? 'both' : 'function');
        return;
      }
      if (isWrapped && code < 0) {
        throw cutOff('right after its opening tag');
      }
      if (isWrapped && (yield* this.json(code))) {
        return;
      }
      if (isWrapped && code !== LESS_THAN) {
        yield* this.named(PLAIN_FORM, true);
        return;
      }
      if (tag?.kind !== 'wrapper' || tag.isClosing) {
        throw new NotACallError();
      }
      input.at += tag.length;
    }
  }

  /** What a marker such as `[TOOL_CALLS]` announces: JSON, tags, or calls by their names. */
  *marked(form: MarkedForm): Parsing<void> {
    const { input } = this;
    yield* skipMarkers(input, form.openers);
    if (yield* this.json(yield* skipWhitespace(input))) {
      return;
    }
    yield* skipMarkers(input, form.beforeName);
    if ((yield* skipWhitespace(input)) === LESS_THAN) {
      yield* this.tagged();
    } else {
      yield* this.named(form, false);
    }
  }

  /** Whether Python stands at the cursor that can hardly be anything but a list of calls. */
  *beginsList(): Parsing<boolean> {
    return yield* beginsList(this.input, this.tools);
  }

  /** JSON, or a list in Python, that no markup declares to be a call. */
  *foreign(isFenced: boolean): Parsing<void> {
    yield* readJsonCalls(this.input, this.tools, this.calls, true, isFenced);
  }

  /** Calls in Python, in a fence that declares them to be such. */
  *code(): Parsing<void> {
    yield* this.named(CODE_FORM, false);
  }

  /** Calls whose names stand as plain text; in a wrapper, their arguments may be tags. */
  private *named(form: MarkedForm, isWrapped: boolean): Parsing<void> {
    const { input } = this;
    let mayGoOn = true;
    while (mayGoOn) {
      const name = yield* readCallName(input, form);
      if (isWrapped && (yield* this.goesOnAsTags(name))) {
        yield* this.xmlCall(name, 'wrapper');
        return;
      }
      const isCode = yield* readNamedArguments(input, this.tools, this.calls, name, false);
      if (form.behindArguments) {
        yield* skipMarkers(input, form.behindArguments);
        input.keep();
      }
      yield* skipWhitespace(input);
      mayGoOn = isCode && isNameStart(input.text.charAt(input.at));
    }
  }

  /** Whether a parameter, or the end of a call that needs none, stands behind a name. */
  private *goesOnAsTags(name: string): Parsing<boolean> {
    const tag = (yield* peek(this.input)) === LESS_THAN ? yield* readTag(this.input) : undefined;
    return tag?.isClosing
      ? tag.kind === 'wrapper' && this.tools.resolve(name)?.required.length === 0
      : tag?.kind === 'parameter';
  }

  private *xmlCall(name: string, frame: CallFrame): Parsing<void> {
    const tool = this.tools.resolve(name);
    const writer = tool && this.calls.open(tool);
    this.isPassing = !tool;
    if (tool && tool.name !== name) {
      writer?.addRepair('name');
    }
    yield* new TaggedCall(this.input, this.calls, writer, frame).read();
    if (this.isPassing) {
      throw unknownTool(name);
    }
    this.input.keep();
  }

  /** JSON calls, if they begin here. */
  private *json(code: number): Parsing<boolean> {
    const { input, tools, calls } = this;
    const begins = isJsonStart(code) || (yield* startsWith(input, '```'));
    if (begins) {
      yield* maybeFenced(input, () => readJsonCalls(input, tools, calls, false, true));
    }
    return begins;
  }
}
