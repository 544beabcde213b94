import { CharCode } from '../../text/char-code.js';
import { elementFrom, isContainer } from '../../text/elements.js';
import { type Parsing } from '../../text/input.js';
import { tagAtCursor } from '../../text/next-tag.js';
import { cutOffEarly, UnknownToolError } from '../../text/parse-errors.js';
import { peek } from '../../text/scan.js';
import { type TagKind } from '../../text/tag-words.js';
import { type ParseContext } from '../parse-context.js';
import { givenAttributes, hasRequired, isEmptyTag } from './given-attributes.js';
import { memberLines } from './member-lines.js';
import { namedByElement } from './named-by-element.js';
import { namedByLine } from './named-by-line.js';
import { type CallFrame, TaggedCall } from './tagged-call.js';

/** Closing tags behind which a call has no further arguments. */
const ENDS_ARGUMENTS: ReadonlySet<TagKind> = new Set(['wrapper', 'parameter']);

/** Calls between tags, by the places where their names stand. */
export class TaggedCalls {
  /** Whether a call of a tool that is not offered is being read, which stays text. */
  isUnknown = false;

  constructor(private readonly context: ParseContext) {}

  /** Whether arguments in tags or lines stand behind a name. Consumes nothing. */
  *beginArguments(name: string): Parsing<boolean> {
    return (yield* this.hasTaggedArguments(name)) || (yield* this.hasLines(name));
  }

  /** Reads a call whose name stands in an element, a tag or a line of its own. @returns false if something else is there */
  *readNamed(code: number): Parsing<boolean> {
    const { input, tools } = this.context;
    if (code === CharCode.lessThan) {
      return (yield* this.readNamedByElement()) || (yield* this.readNamedByTag());
    }
    const named = yield* namedByLine(input, tools);
    if (named) {
      yield* this.read(named.tool.name, 'wrapper', named.length);
    }
    return named !== undefined;
  }

  /**
   * Reads a call from its name on.
   * @param length characters from the cursor to behind the name, which may be those of a tag with arguments
   */
  *read(name: string, frame: CallFrame, length: number): Parsing<void> {
    const { input, tools, calls } = this.context;
    const head = input.text.slice(input.at, input.at + length);
    input.at += length;
    const tool = tools.resolve(name);
    const writer = tool && calls.open(tool);
    this.isUnknown = !tool;
    if (tool && tool.name !== name) {
      writer?.addRepair('name');
    }
    const call = new TaggedCall(this.context, writer, frame);
    const given = tool && givenAttributes(head, tool);
    if (isEmptyTag(head) && tool && !hasRequired(tool, given)) {
      throw cutOffEarly();
    }
    if (given) {
      call.take(given);
    }
    if (isEmptyTag(head)) {
      call.end();
    } else {
      yield* call.read();
    }
    if (this.isUnknown) {
      throw new UnknownToolError(name);
    }
    input.keep();
  }

  /** Reads `<name>NAME</name>` and the arguments behind it. @returns false if something else is there */
  *readNamedByElement(): Parsing<boolean> {
    const { input, tools } = this.context;
    const named = yield* namedByElement(input);
    if (!named) {
      return false;
    }
    const names = [named.name, `mcp__${named.server}__${named.name}`];
    const name = names.find((one) => tools.resolve(one));
    if (name === undefined) {
      throw new UnknownToolError(named.name);
    }
    yield* this.read(name, named.isFunction ? 'both' : 'wrapper', named.length);
    return true;
  }

  /** Reads a tag in a wrapper that is named like its tool. @returns false if something else is there */
  private *readNamedByTag(): Parsing<boolean> {
    const { input, tools } = this.context;
    const element = yield* elementFrom(input);
    const isNamed = element !== undefined && !element.isClosing && tools.namedByTag(element.name);
    if (isNamed) {
      yield* this.read(element.name, 'wrapper', element.length);
    }
    return Boolean(isNamed);
  }

  /**
   * Whether a parameter, or an element around all of them, stands behind a name, or a closing tag behind the name of a
   * tool that needs none.
   */
  private *hasTaggedArguments(name: string): Parsing<boolean> {
    const { input, tools } = this.context;
    if ((yield* peek(input)) !== CharCode.lessThan) {
      return false;
    }
    const tag = yield* tagAtCursor(input);
    if (tag?.isClosing) {
      return ENDS_ARGUMENTS.has(tag.kind) && tools.resolve(name)?.required.length === 0;
    }
    const element = tag ? undefined : yield* elementFrom(input);
    return tag?.kind === 'parameter' || (element !== undefined && isContainer(element.name));
  }

  /** Whether lines of keys and values stand behind a name. */
  private *hasLines(name: string): Parsing<boolean> {
    const { input, tools } = this.context;
    const tool = tools.resolve(name);
    return tool !== undefined && (yield* memberLines(input, tool)) !== undefined;
  }
}
