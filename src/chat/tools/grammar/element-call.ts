import { type CallableTool } from '../calls/callable-tool.js';
import { JsonArgumentsReader } from '../calls/json-arguments-reader.js';
import { RawArgumentWriter } from '../calls/raw-argument-writer.js';
import { LenientJsonReader } from '../json/lenient-json-reader.js';
import { type ValueSchema } from '../schema/argument-schema.js';
import { skipCloser } from '../text/call-markers.js';
import { CharCode } from '../text/char-code.js';
import {
  type AttributedElement,
  attributedElement,
  type Element,
  elementFrom,
  isContainer,
} from '../text/elements.js';
import { runDetached } from '../text/incremental-parse.js';
import { type Input, type Parsing } from '../text/input.js';
import { tagAtCursor } from '../text/next-tag.js';
import { asNoCall, NotACallError } from '../text/parse-errors.js';
import { peek, peekText, skipWhitespace, startsWith } from '../text/scan.js';
import { endsCall } from '../text/tags.js';
import { ElementValueReader } from './element-value-reader.js';
import { type ParseContext } from './parse-context.js';

/** The tag of a tool that an attribute names. */
const TOOL = 'tool';

/** An element for the name of a tool, and the beginning of one for its arguments. Group 1: the name. */
const NAMED_WITH_INPUT = /^<tool>\s*([^<>]{1,128}?)\s*<\/tool>\s*<tool_input>/;
const MAX_NAMED = 256;
const INPUT = 'tool_input';

/** Raw texts by key, several for a list whose items stand in elements of their own. */
type Texts = ReadonlyMap<string, readonly string[]>;

/** Arguments of a call that nothing declares to be one yet: texts, or one JSON object. */
type HeldArguments = Texts | string;

interface HeldCall {
  readonly tool: CallableTool;
  readonly arguments: HeldArguments;
}

/**
 * Reads calls whose tags are named like the tool and its parameters: `<read_file><path>a.txt</path></read_file>`, or
 * have these as attributes: `<read_file path="a.txt"/>`; the name may be one as well: `<tool name="read_file">`, or
 * in an element: `<tool>read_file</tool><tool_input>a.txt</tool_input>`. Such tags may belong to any document, so they
 * are calls only if nothing else can be meant: each stands on lines of its own, with all required parameters and no
 * others, and nothing but such calls follows to the end of the answer. Nothing is written before that is known.
 */
export class ElementCall {
  private readonly calls: HeldCall[] = [];

  constructor(private readonly context: ParseContext) {}

  /** Whether the opening tag of an offered tool stands at the cursor. Consumes nothing. */
  static *begins(context: ParseContext): Parsing<boolean> {
    return (yield* openerAtCursor(context)) !== undefined;
  }

  /** Reads from the first opening tag to the end of the answer. @throws NotACallError if anything else is there */
  *read(): Parsing<void> {
    try {
      yield* this.readCalls();
    } catch (error) {
      throw asNoCall(error);
    }
    this.calls.forEach((call) => {
      this.write(call);
    });
  }

  private *readCalls(): Parsing<void> {
    const { input } = this.context;
    do {
      yield* this.readCall();
    } while ((yield* this.skipClosers()) >= 0);
    input.keep();
  }

  /** Consumes the markup behind a call that only closes what was open. @returns the code of the character behind it */
  private *skipClosers(): Parsing<number> {
    const { input } = this.context;
    for (;;) {
      const code = yield* skipWhitespace(input);
      const tag = code === CharCode.lessThan ? yield* tagAtCursor(input) : undefined;
      if (tag && endsCall(tag)) {
        input.at += tag.length;
      } else if (!(yield* skipCloser(input))) {
        return code;
      }
    }
  }

  private *readCall(): Parsing<void> {
    const { input } = this.context;
    const { opener, tool } = (yield* openerAtCursor(this.context)) ?? {};
    if (!opener || !tool) {
      throw new NotACallError();
    }
    input.at += opener.length;
    const given = new Map(opener.attributes?.map(({ key, value }) => [key, [value]]));
    const held = opener.isEmpty ? given : yield* this.readArguments(tool, opener, given);
    if (tool.required.some((key) => !has(held, key))) {
      throw new NotACallError();
    }
    this.calls.push({ tool, arguments: held });
    yield* this.endLine();
  }

  private *readArguments(tool: CallableTool, opener: Element, given: Texts): Parsing<HeldArguments> {
    const code = yield* skipWhitespace(this.context.input);
    if (opener.name === INPUT && code !== CharCode.braceOpen && code !== CharCode.lessThan) {
      return yield* this.readSole(tool);
    }
    const isJson = given.size === 0 && code === CharCode.braceOpen;
    return isJson ? yield* this.readJson(opener) : yield* this.readElements(tool, opener, given);
  }

  /** Reads a text that is the only argument. */
  private *readSole(tool: CallableTool): Parsing<Texts> {
    const { input } = this.context;
    const key = tool.soleKeyBeside(new Set());
    if (key === undefined) {
      throw new NotACallError();
    }
    let text = '';
    const reader = new ElementValueReader(input, {
      name: INPUT,
      isGuess: true,
      goesOnWith: () => true,
      write: (piece) => (text += piece),
    });
    yield* runDetached(input, reader.read());
    return new Map([[key, [text]]]);
  }

  private *readJson(opener: Element): Parsing<string> {
    const { input } = this.context;
    const json = yield* new LenientJsonReader(input, () => undefined).json();
    yield* skipWhitespace(input);
    yield* this.close(opener);
    return json;
  }

  /** @param given arguments in attributes of the opening tag */
  private *readElements(tool: CallableTool, opener: Element, given: Texts): Parsing<Texts> {
    const { input } = this.context;
    const values = new Map(given);
    const isFree = (key: string): boolean =>
      tool.declares(key) && (!values.has(key) || isList(tool.schema.property(key)));
    for (;;) {
      yield* skipWhitespace(input);
      const element = yield* elementFrom(input);
      if (element && element.name !== opener.name && isAround(element) && !tool.declares(element.name)) {
        input.at += element.length;
        continue;
      }
      if (!element || element.isClosing) {
        break;
      }
      const { key = element.name } = element;
      if (!isFree(key)) {
        throw new NotACallError();
      }
      input.at += element.length;
      let text = '';
      const reader = new ElementValueReader(input, {
        name: element.name,
        isGuess: true,
        goesOnWith: (next) =>
          next.isClosing ? next.name === opener.name || isAround(next) : isFree(next.key ?? next.name),
        write: (piece) => (text += piece),
      });
      yield* runDetached(input, reader.read());
      values.set(key, [...(values.get(key) ?? []), text]);
    }
    yield* this.close(opener);
    return values;
  }

  private *close(opener: Element): Parsing<void> {
    const { input } = this.context;
    const closer = yield* elementFrom(input);
    if (closer?.isClosing && closer.name === opener.name) {
      input.at += closer.length;
      // Frameworks stop the answer in front of this one.
    } else if (opener.name !== INPUT) {
      throw new NotACallError();
    }
  }

  /** Consumes the rest of the line. @throws NotACallError if it holds anything but a call right behind the last */
  private *endLine(): Parsing<void> {
    const { input } = this.context;
    if (yield* ElementCall.begins(this.context)) {
      return;
    }
    for (let code; (code = yield* peek(input)) >= 0 && code !== CharCode.lineFeed; input.at++) {
      if (!/\s/.test(String.fromCharCode(code))) {
        if (yield* skipCloser(input)) {
          return;
        }
        throw new NotACallError();
      }
    }
  }

  private write({ tool, arguments: held }: HeldCall): void {
    const { calls, input } = this.context;
    const writer = calls.open(tool);
    if (typeof held === 'string') {
      new JsonArgumentsReader(writer, (name) => writer.addRepair(name)).readWhole(held);
    } else {
      held.forEach(([first = '', ...others], key) => {
        const text = others.length > 0 ? JSON.stringify([first, ...others]) : first;
        const layout = /^\r?\n/.exec(text)?.[0] ?? '';
        const value = new RawArgumentWriter(key, writer, layout, false);
        value.write(text.slice(layout.length));
        value.end();
      });
    }
    writer.end();
    calls.close();
    input.keep();
  }
}

/** The opening tag of an offered tool at the cursor; undefined if there is none. Consumes nothing. */
function* openerAtCursor({
  input,
  tools,
}: ParseContext): Parsing<{ readonly opener: AttributedElement; readonly tool: CallableTool } | undefined> {
  const named = yield* namedWithInput(input);
  if (named) {
    const tool = tools.offers(named.name) ? tools.resolve(named.name) : undefined;
    return tool && { opener: { name: INPUT, isClosing: false, isEmpty: false, length: named.length }, tool };
  }
  const isTool = (name: string): boolean => name === TOOL || tools.namedByTag(name) !== undefined;
  const opener: AttributedElement | undefined =
    (yield* elementFrom(input)) ?? (yield* attributedElement(input, isTool));
  if (!opener || opener.isClosing) {
    return undefined;
  }
  const [first, ...others] = opener.attributes ?? [];
  const isNamed = opener.name === TOOL && first?.key === 'name' && tools.offers(first.value);
  const tool = isNamed ? tools.resolve(first.value) : tools.namedByTag(opener.name);
  const attributes = isNamed ? others : (opener.attributes ?? []);
  const isCall = tool !== undefined && attributes.every(({ key }) => tool.declares(key));
  return isCall ? { opener: { ...opener, attributes }, tool } : undefined;
}

/** The name in an element, and the characters up to its arguments; undefined if something else is there. Consumes nothing. */
function* namedWithInput(
  input: Input,
): Parsing<{ readonly name: string; readonly length: number } | undefined> {
  const begins = yield* startsWith(input, `<${TOOL}>`);
  const [all = '', name] = begins ? (NAMED_WITH_INPUT.exec(yield* peekText(input, MAX_NAMED)) ?? []) : [];
  return name === undefined ? undefined : { name, length: all.length };
}

function has(held: HeldArguments, key: unknown): boolean {
  if (typeof held !== 'string') {
    return held.has(key as string);
  }
  return Object.hasOwn(JSON.parse(held) as object, key as string);
}

/** Whether a parameter takes lists only, so that each of several elements of its name is an item. */
function isList(schema: ValueSchema): boolean {
  return schema.admits('array') && !schema.admits('string');
}

/** Whether an element stands around parameters; `file` does in Roo Code, whose tool reads several of them. */
function isAround(element: Element): boolean {
  return element.name === 'file' || isContainer(element.name);
}
