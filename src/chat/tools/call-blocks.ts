import { type Calls } from './calls.js';
import { type Input, type Parsing, peek, skipSpace, startsWith } from './input.js';
import { JsonArguments } from './json-arguments.js';
import { readJsonCalls } from './json-calls.js';
import { JsonReader } from './json-reader.js';
import { type OfferedTools } from './offered-tools.js';
import { cutOff, NotACallError } from './parse-errors.js';
import { readTag } from './tags.js';
import { XmlCall } from './xml-call.js';

const BACKTICK = 0x60;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
const LESS_THAN = 0x3c;

/** Longer than the label of any fence that holds JSON, and than any name of a tool. */
const MAX_LABEL = 20;
const MAX_NAME = 128;

const JSON_LABELS: ReadonlySet<string> = new Set([
  '',
  'json',
  'json5',
  'jsonc',
  'tool',
  'tool_call',
  'tool_calls',
  'tool_code',
  'tool_use',
  'function_call',
]);

/**
 * The forms in which calls come, each from its first character on. Each leaves the cursor where its markup ends, with
 * white space behind it kept, or throws what it found instead.
 */
export class CallBlocks {
  /** A call of a tool that is not offered is being read: it is text. */
  isPassing = false;

  constructor(
    private readonly input: Input,
    private readonly tools: OfferedTools,
    private readonly calls: Calls,
  ) {}

  /** `<tool_call>…`, or `<function=…>` without it: tags, or JSON, if need be in a fence. */
  *tagged(): Parsing<void> {
    const { input } = this;
    for (let isWrapped = false; ; isWrapped = true) {
      const code = yield* skipSpace(input);
      const tag = code === LESS_THAN ? yield* readTag(input) : undefined;
      if (tag?.kind === 'function' && !tag.isClosing) {
        input.at += tag.length;
        yield* this.xmlCall(tag.name, isWrapped);
        return;
      }
      if (isWrapped && code < 0) {
        throw cutOff('right after its opening tag');
      }
      if (isWrapped && (yield* this.json(code))) {
        return;
      }
      if (tag?.kind !== 'wrapper' || tag.isClosing) {
        throw new NotACallError();
      }
      input.at += tag.length;
    }
  }

  /** What follows a marker such as `[TOOL_CALLS]`: JSON, or `NAME[ARGS]{…}`. */
  *marked(): Parsing<void> {
    if (yield* this.json(yield* skipSpace(this.input))) {
      return;
    }
    const name = yield* this.nameBeforeArguments();
    const tool = this.tools.resolve(name);
    if (!tool) {
      throw unknownTool(name);
    }
    const writer = this.calls.open(tool);
    const repair = (what: string): void => writer.addRepair(what);
    yield* new JsonArguments(writer, repair, false).read(new JsonReader(this.input, repair));
    writer.end();
    this.calls.close();
    this.input.keep();
  }

  /** JSON that no markup declares to be a call. */
  *foreign(isFenced: boolean): Parsing<void> {
    yield* readJsonCalls(this.input, this.tools, this.calls, true, isFenced);
  }

  /** Consumes the label of a fence and its line break. @returns whether JSON follows that may be a call */
  *fenceLabel(): Parsing<boolean> {
    const { input } = this;
    let label = '';
    for (;;) {
      const code = yield* peek(input);
      if (code < 0 || code === BACKTICK || label.length > MAX_LABEL) {
        return false;
      }
      input.at++;
      if (code === 0x0a) {
        break;
      }
      label += String.fromCharCode(code);
    }
    if (!JSON_LABELS.has(label.trim().toLowerCase())) {
      return false;
    }
    return isJsonStart(yield* skipSpace(input));
  }

  private *xmlCall(name: string, isWrapped: boolean): Parsing<void> {
    const tool = this.tools.resolve(name);
    const writer = tool && this.calls.open(tool);
    this.isPassing = !tool;
    if (tool && tool.name !== name) {
      writer?.addRepair('name');
    }
    yield* new XmlCall(this.input, this.calls, writer, isWrapped).read();
    if (this.isPassing) {
      throw unknownTool(name);
    }
    this.input.keep();
  }

  /** JSON calls, if they begin here. */
  private *json(code: number): Parsing<boolean> {
    const { input } = this;
    if (isJsonStart(code)) {
      yield* readJsonCalls(input, this.tools, this.calls, false, true);
      return true;
    }
    if (!(yield* startsWith(input, '```'))) {
      return false;
    }
    yield* this.skipRun(BACKTICK);
    if (!(yield* this.fenceLabel())) {
      throw new NotACallError();
    }
    yield* readJsonCalls(input, this.tools, this.calls, false, true);
    yield* skipSpace(input);
    yield* this.skipRun(BACKTICK);
    input.keep();
    return true;
  }

  private *skipRun(code: number): Parsing<void> {
    while ((yield* peek(this.input)) === code) {
      this.input.at++;
    }
  }

  private *nameBeforeArguments(): Parsing<string> {
    const { input } = this;
    let name = '';
    for (;;) {
      const code = yield* peek(input);
      if (code === OPEN_BRACKET || code === OPEN_BRACE) {
        break;
      }
      if (code < 0 || code === LESS_THAN || name.length > MAX_NAME) {
        throw new NotACallError();
      }
      input.at++;
      name += String.fromCharCode(code);
    }
    if (yield* startsWith(input, '[ARGS]')) {
      input.at += '[ARGS]'.length;
    }
    if ((yield* skipSpace(input)) !== OPEN_BRACE) {
      throw new NotACallError();
    }
    return name.trim();
  }
}

export function unknownTool(name: string): NotACallError {
  return new NotACallError(`There is no tool named ${JSON.stringify(name)}.`);
}

function isJsonStart(code: number): boolean {
  return code === OPEN_BRACE || code === OPEN_BRACKET;
}
