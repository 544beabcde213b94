import { partialSuffixLength } from '../../completion/stages/partial-suffix.js';
import { type CallWriter } from '../calls/call-writer.js';
import { RawArgumentWriter } from '../calls/raw-argument-writer.js';
import { type ValueSchema } from '../schema/argument-schema.js';
import { type DelimitedForm, type Header } from '../text/delimited-forms.js';
import { runDetached } from '../text/incremental-parse.js';
import { type Parsing } from '../text/input.js';
import { cutOff, cutOffEarly, malformed, NotACallError, UnknownToolError } from '../text/parse-errors.js';
import { peekText, readRun, skipLiteral, skipWhitespace, startsWith } from '../text/scan.js';
import { readDelimitedObject } from './delimited-object.js';
import { type ParseContext } from './parse-context.js';

/** Characters of the longest header; anything longer is text. */
const MAX_HEADER = 256;

/** Arguments within arguments; calls have a few. */
const MAX_DEPTH = 16;

/** Characters that decide whether a closing tag without its marker ends a value. */
const MAX_LOOKAHEAD = 128;

/** The name by which the items of a list stand in it. */
const ITEM = 'item';

const WHITE_SPACE = /\s*/y;

interface Named {
  readonly name: string;
  readonly isText: boolean;
}

/** The key of a value, and those around it. */
type Path = readonly [string, ...string[]];

type Tree = string | readonly Tree[] | { readonly [key: string]: Tree };

/** Reads calls between markers that no value can hold. */
export class DelimitedCalls {
  constructor(
    private readonly context: ParseContext,
    private readonly form: DelimitedForm,
  ) {}

  /** Reads from behind the opener. */
  *read(): Parsing<void> {
    const { input } = this.context;
    yield* skipWhitespace(input);
    do {
      yield* this.readCall();
      input.keep();
      yield* skipWhitespace(input);
    } while (yield* startsWith(input, this.form.call.begin));
  }

  private *readCall(): Parsing<void> {
    const { calls, input, tools } = this.context;
    const { call } = this.form;
    const named = (yield* skipLiteral(input, call.begin)) ? yield* this.readName(call, 0) : undefined;
    if (!named) {
      throw new NotACallError();
    }
    const { name } = named;
    const tool = tools.resolve(name);
    if (!tool) {
      throw new UnknownToolError(name);
    }
    const writer = calls.open(tool);
    if (tool.name !== name) {
      writer.addRepair('name');
    }
    yield* readDelimitedObject(input, this.form, writer);
    while (!(yield* this.endsHere(writer))) {
      yield* this.readArgument(writer);
    }
    writer.end();
    calls.close();
  }

  /** Whether the call ends at the cursor. If not, an argument begins there. */
  private *endsHere(writer: CallWriter): Parsing<boolean> {
    const { input } = this.context;
    const { argument, call, callEnd } = this.form;
    const isEnd = (yield* skipWhitespace(input)) < 0;
    if (yield* this.skipCloser(callEnd)) {
      return true;
    }
    const isOther =
      (yield* startsWith(input, `${argument.begin}/`)) || (yield* startsWith(input, call.begin));
    if (!isOther && (yield* startsWith(input, argument.begin))) {
      return false;
    }
    if (isEnd && (!writer.hasKeys || writer.lacksRequired)) {
      throw cutOffEarly();
    }
    if (!writer.hasKeys) {
      throw malformed(`The call of ${writer.tool.name} has text where a parameter should stand.`);
    }
    writer.addRepair('missing_closer');
    return true;
  }

  private *readArgument(writer: CallWriter): Parsing<void> {
    const header = yield* this.readHeader();
    if (!header) {
      throw this.context.input.isEnded
        ? cutOff('inside the name of a parameter')
        : malformed(`The call of ${writer.tool.name} has a parameter without a name.`);
    }
    const { name: key, isText } = header;
    const value = writer.hasKey(key) ? undefined : new RawArgumentWriter(key, writer, '', isText);
    if (!value) {
      writer.addRepair('doubled_key');
    }
    const schema = writer.tool.schema.property(key);
    const layout = yield* this.readLayout();
    if (yield* this.beginsTree(key, schema)) {
      value?.write(JSON.stringify(yield* this.readMembers([key], writer, schema)));
    } else {
      value?.write(layout);
      yield* runDetached(
        this.context.input,
        this.pass([key], writer, (text) => value?.write(text)),
      );
    }
    value?.end();
  }

  /** Consumes the white space behind a header, which is layout in front of another one. */
  private *readLayout(): Parsing<string> {
    return this.form.isNested ? yield* readRun(this.context.input, WHITE_SPACE) : '';
  }

  /** Whether an object or a list stands at the cursor; one without members only if the schema demands it. */
  private *beginsTree(key: string, schema: ValueSchema | undefined): Parsing<boolean> {
    const { argument, argumentEnd, isNested = false, marker = '' } = this.form;
    const { input } = this.context;
    if (!isNested) {
      return false;
    }
    const end = argumentEnd(key);
    if ((yield* startsWith(input, end)) || (yield* startsWith(input, end.slice(marker.length)))) {
      const admits = (kind: 'array' | 'object' | 'string' | 'null'): boolean => schema?.admits(kind) ?? true;
      return (admits('array') || admits('object')) && !admits('string') && !admits('null');
    }
    return yield* startsWith(input, argument.begin);
  }

  /** Reads an object, a list or a text from behind its header. */
  private *readTree(path: Path, writer: CallWriter, schema: ValueSchema | undefined): Parsing<Tree> {
    let text = yield* this.readLayout();
    if (yield* this.beginsTree(path[0], schema)) {
      return yield* this.readMembers(path, writer, schema);
    }
    yield* this.pass(path, writer, (piece) => (text += piece));
    return text;
  }

  private *readMembers(path: Path, writer: CallWriter, schema: ValueSchema | undefined): Parsing<Tree> {
    const [key] = path;
    const mayBeList = !schema || schema.admits('array') || !schema.admits('object');
    const members: [string, Tree][] = [];
    while (!(yield* this.skipCloser(this.form.argumentEnd(key)))) {
      const child = path.length <= MAX_DEPTH ? yield* this.readHeader() : undefined;
      if (!child) {
        throw malformed(`The parameter ${JSON.stringify(key)} holds something that is no parameter.`);
      }
      const { name } = child;
      const inner = schema?.inner(mayBeList && name === ITEM ? members.length : name);
      members.push([name, yield* this.readTree([name, ...path], writer, inner)]);
      yield* skipWhitespace(this.context.input);
    }
    const isList = mayBeList && members.every(([name]) => name === ITEM);
    return isList ? members.map(([, value]) => value) : Object.fromEntries(members);
  }

  /** Consumes the header of an argument. @returns undefined if none stands there */
  private *readHeader(): Parsing<Named | undefined> {
    const { argument } = this.form;
    const isThere = yield* startsWith(this.context.input, argument.begin);
    return isThere ? yield* this.readName(argument, argument.begin.length) : undefined;
  }

  /** Consumes the rest of a header, from `offset` characters behind the cursor on. @returns undefined if it is none */
  private *readName({ end, name, isText }: Header, offset: number): Parsing<Named | undefined> {
    const { input } = this.context;
    // Looks no further than it waits, so that the result does not depend on how the answer is cut into pieces.
    const find = (): number => input.text.slice(input.at, input.at + MAX_HEADER).indexOf(end, offset);
    while (find() < 0 && !input.isEnded && input.text.length - input.at < MAX_HEADER) {
      yield;
    }
    const at = find();
    const content = at < 0 ? '' : input.text.slice(input.at + offset, input.at + at).trim();
    const [, found = ''] = name.exec(content) ?? [];
    if (found === '') {
      return undefined;
    }
    input.at += at + end.length;
    return { name: found, isText: isText?.test(content) ?? false };
  }

  /** Passes a value up to what ends it, and consumes that. */
  private *pass(path: Path, writer: CallWriter, write: (text: string) => void): Parsing<void> {
    const { input } = this.context;
    const { argumentEnd, callEnd, marker = '' } = this.form;
    const end = argumentEnd(path[0]);
    const tag = end.slice(marker.length);
    const ends = [end, tag, callEnd, ...this.begins];
    const pattern = new RegExp(ends.map((one) => RegExp.escape(one)).join('|'), 'g');
    for (;;) {
      pattern.lastIndex = input.at;
      const [found] = pattern.exec(input.text) ?? [];
      const sure = found === undefined ? this.lengthBefore(ends) : pattern.lastIndex - found.length;
      const text = input.text.slice(input.at, sure);
      input.at = sure;
      if (text !== '') {
        write(text);
      }
      if (found === undefined) {
        if (input.isEnded) {
          throw cutOff('inside a value');
        }
        yield;
      } else if (found === end || (found === tag && (yield* this.endsUnmarked(path, tag)))) {
        input.at += found.length;
        return;
      } else if (found !== tag && (yield* this.breaksOff(found, writer))) {
        writer.addRepair('missing_closer');
        return;
      } else {
        input.at += found.length;
        write(found);
      }
    }
  }

  /** What a call or an argument begins with that may stand in a value whose end is missing. */
  private get begins(): readonly string[] {
    const { argument, call, isNested = false } = this.form;
    return isNested ? [call.begin] : [call.begin, argument.begin];
  }

  /** Whether a marker at the cursor shows that the end of a value is missing: the end of its call, or a further one. */
  private *breaksOff(found: string, writer: CallWriter): Parsing<boolean> {
    const { argument, call, callEnd } = this.form;
    const behind = (yield* peekText(this.context.input, found.length + MAX_LOOKAHEAD)).slice(found.length);
    if (found === callEnd) {
      return behind.trim() === '' || behind.trimStart().startsWith(callEnd.slice(0, 2));
    }
    const header = found === call.begin ? call : argument;
    const [, name = ''] = header.name.exec(behind.split(header.end, 1)[0]!.trim()) ?? [];
    return header === call
      ? this.context.tools.resolve(name) !== undefined
      : writer.tool.declares(name) && !writer.hasKey(name);
  }

  /** Offset of what may become a marker at the end of the window. */
  private lengthBefore(ends: readonly string[]): number {
    const { text, at } = this.context.input;
    const rest = text.slice(at);
    return text.length - Math.max(...ends.map((end) => partialSuffixLength(rest, end)));
  }

  /**
   * Whether a closing tag at the cursor that lacks its marker ends the value: not in the middle of it, but in front of
   * the next marker or closing tag. A value that merely ends in such a tag has its own end behind it.
   */
  private *endsUnmarked([key, ...outer]: Path, tag: string): Parsing<boolean> {
    const { argumentEnd, callEnd, marker = '' } = this.form;
    const text = yield* peekText(this.context.input, tag.length + MAX_LOOKAHEAD);
    const behind = text.slice(tag.length).trimStart();
    if (behind === '') {
      return text.length < tag.length + MAX_LOOKAHEAD;
    }
    const closers = [callEnd, ...outer.map(argumentEnd)].map((end) => end.slice(marker.length));
    return (
      !behind.startsWith(argumentEnd(key)) && [marker, ...closers].some((next) => behind.startsWith(next))
    );
  }

  /** Consumes a closing tag, with or without its marker. @returns whether it stands at the cursor */
  private *skipCloser(end: string): Parsing<boolean> {
    const { input } = this.context;
    const { marker = '' } = this.form;
    return (
      (yield* skipLiteral(input, end)) ||
      (marker !== '' && (yield* skipLiteral(input, end.slice(marker.length))))
    );
  }
}
