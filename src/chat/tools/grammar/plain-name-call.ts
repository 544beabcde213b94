import { type CallMode } from '../calls/call-mode.js';
import { type CallableTool } from '../calls/callable-tool.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { skipCloser, skipMarkers } from '../text/call-markers.js';
import { CharCode } from '../text/char-code.js';
import { type Parsing } from '../text/input.js';
import { type MarkedForm } from '../text/marked-form.js';
import {
  asNoCall,
  cutOff,
  cutOffEarly,
  noObject,
  NotACallError,
  UnknownToolError,
} from '../text/parse-errors.js';
import { PLAIN_FORM } from '../text/plain-forms.js';
import { peek, peekText, readRun, skipLiteral, skipWhitespace, startsWith } from '../text/scan.js';
import { isNameStart, readMaybeFenced } from './call-fence.js';
import { readLateArguments } from './late-arguments.js';
import { type ParseContext } from './parse-context.js';
import { endsListItem } from './python-list.js';

const NAME = /[^\s<>{}()[\]"'`,=|]*/y;
const MAX_NAME_LENGTH = 128;

/** The number of the call or a method, which some models write behind a name: `get_weather:0`, `get_weather.call`. */
const NAME_SUFFIX = /(?::\d+|\.call)$/;

/** An id of Kimi whose signs are lost or others: `functions_get_weather_0`, `functionsget_weather0`. Group 1: the name. */
const GARBLED_ID = /^functions?[.:_-]?(.+?)[.:_-]?\d+$/;

/** A name that is written twice, as Gemma 4 does: `f:f`. */
const REPEATED = /^(.+):\1$/;

/** A token of a model in front of arguments. */
const MARK = /[|｜]|\[ARGS\]/;

/** The beginning of an object in a string. */
const ENCODED_OBJECT = /^"\s*\{/;
const MAX_ENCODED_START = 16;

/** Reads calls whose name stands as plain text: `f{"a": 1}`, `f(a=1)`, or `f` with a fence of JSON. */
export class PlainNameCall {
  /** Whether a marker of the model announces the arguments. */
  private isMarked = false;

  constructor(
    private readonly context: ParseContext,
    private readonly mode: CallMode,
  ) {}

  /** Reads the name with the markers around it. @throws NotACallError if no name can begin here */
  *readName(form: MarkedForm): Parsing<string> {
    const { input } = this.context;
    yield* skipMarkers(input, form.beforeName);
    yield* skipWhitespace(input);
    if (!isNameStart(input.text.charAt(input.at))) {
      throw new NotACallError();
    }
    const name = yield* readRun(input, NAME, MAX_NAME_LENGTH);
    this.isMarked = MARK.test((yield* skipMarkers(input, form.beforeArguments)) ?? '');
    yield* skipWhitespace(input);
    return this.withoutNumber(name);
  }

  private withoutNumber(name: string): string {
    const { tools } = this.context;
    const plain = name.replace(NAME_SUFFIX, '').replace(REPEATED, '$1');
    const [, meant = plain] = tools.resolve(plain) ? [] : (GARBLED_ID.exec(plain) ?? []);
    return tools.resolve(meant) ? meant : plain;
  }

  /**
   * Reads the arguments behind a name, which a tool without required ones may lack.
   * @param end what ends the call in its form
   * @returns whether they were Python, where another call may follow directly
   */
  *readArguments(name: string, end?: string): Parsing<'python' | 'other'> {
    const { input, tools } = this.context;
    const tool = tools.resolve(name);
    const code = yield* skipWhitespace(input);
    if (code < 0 && tool) {
      throw cutOff('behind the name of the tool');
    }
    if (tool?.required.length === 0 && ((yield* this.skipEnd(end)) || (yield* skipCloser(input)))) {
      this.writeEmptyCall(tool);
      return 'other';
    }
    const isPython = code === CharCode.parenthesisOpen;
    if (!isPython && code !== CharCode.braceOpen && !(yield* this.beginsOtherArguments(code))) {
      const isMeant = this.isMarked && tool;
      throw isMeant ? noObject(name) : new NotACallError();
    }
    if (!tool) {
      throw new UnknownToolError(name);
    }
    yield* this.readCall(tool);
    if (yield* this.skipEnd(end)) {
      input.keep();
    }
    return isPython ? 'python' : 'other';
  }

  /** Consumes the end of a call. @returns whether it stands at the cursor */
  private *skipEnd(end?: string): Parsing<boolean> {
    return end !== undefined && (yield* skipLiteral(this.context.input, end));
  }

  /** Reads a call that is an item of a list: `[name(key=value), …]`. */
  *readListItem(): Parsing<void> {
    const { input, calls } = this.context;
    const name = yield* this.readName(PLAIN_FORM);
    if ((yield* peek(input)) !== CharCode.parenthesisOpen) {
      throw new NotACallError();
    }
    try {
      yield* this.readArguments(name);
    } catch (error) {
      const isText = this.mode === 'guessed' && !calls.currentHasOutput;
      throw isText ? asNoCall(error) : error;
    }
  }

  /** Whether a fence, or a string or a list that holds the arguments, stands at the cursor. */
  private *beginsOtherArguments(code: number): Parsing<boolean> {
    const { input } = this.context;
    if (code === CharCode.bracketOpen) {
      return this.isMarked;
    }
    if (yield* startsWith(input, '"')) {
      return ENCODED_OBJECT.test(yield* peekText(input, MAX_ENCODED_START));
    }
    return yield* startsWith(input, '```');
  }

  private *readCall(tool: CallableTool): Parsing<void> {
    const { input, calls } = this.context;
    const writer = calls.open(tool, this.mode);
    const repair = (name: string): void => writer.addRepair(name);
    input.uncap();
    yield* readMaybeFenced(input, function* () {
      const reader = new LenientJsonReader(input, repair);
      yield* new JsonArgumentsReader(writer, repair).readAlone(reader);
      if (reader.isCut && writer.lacksRequired) {
        throw cutOffEarly();
      }
    });
    if (this.mode === 'declared') {
      yield* readLateArguments(this.context, writer, repair);
    }
    if (this.mode === 'guessed' && writer.isHeld && !(yield* endsListItem(input))) {
      throw new NotACallError();
    }
    writer.end();
    calls.close();
    input.keep();
  }

  private writeEmptyCall(tool: CallableTool): void {
    const { input, calls } = this.context;
    calls.open(tool).end();
    calls.close();
    input.keep();
  }
}
