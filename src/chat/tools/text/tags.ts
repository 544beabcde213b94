import { type Input, isWhitespace, type Parsing } from './input.js';

/**
 * What a tag means for calls, whichever dialect it is of:
 *
 *     wrapper    <tool_call>  <function_calls>  and their kin
 *     function   <function=NAME>  <function name="NAME">  <invoke name="NAME">
 *     parameter  <parameter=KEY>  <parameter name="KEY">  <arg_key>KEY</arg_key> <arg_value>
 *     result     <tool_response …>  and its kin, by which an upstream goes on as if the tool had answered
 *     role       <user>  <assistant>  <system>, by which it goes on with the transcript
 */
export type TagKind = 'wrapper' | 'function' | 'parameter' | 'result' | 'role';

export interface Tag {
  readonly kind: TagKind;
  readonly isClosing: boolean;
  /** Name of a function, key of a parameter. */
  readonly name: string;
  /** By which the tags of one pair know each other. */
  readonly word: string;
  /** It says that a parameter is text, whatever that looks like. */
  readonly isText: boolean;
  readonly length: number;
}

/** What follows a place. */
export interface NextTag {
  /** From the cursor. */
  readonly offset: number;
  readonly tag?: Tag;
  /** The answer ends there. */
  readonly isEnd: boolean;
  /** The answer ends in the middle of a tag there. */
  readonly isCut: boolean;
}

const KINDS: ReadonlyMap<string, TagKind> = new Map(
  Object.entries<TagKind>({
    tool_call: 'wrapper',
    tool_calls: 'wrapper',
    function_call: 'wrapper',
    function_calls: 'wrapper',
    tool_use: 'wrapper',
    TOOLCALL: 'wrapper',
    function: 'function',
    invoke: 'function',
    parameter: 'parameter',
    arg_key: 'parameter',
    arg_value: 'parameter',
    tool_response: 'result',
    tool_result: 'result',
    tool_results: 'result',
    function_response: 'result',
    function_result: 'result',
    function_results: 'result',
    user: 'role',
    assistant: 'role',
    system: 'role',
  }),
);

/** What some models write in front of every word. */
const NAMESPACES = ['antml:', 'minimax:', 'seed:', 'steptml:', 'longcat_', '｜DSML｜', '｜｜DSML｜｜'];

/** How tags may begin, up to the end of their word. */
const HEADS = ['', ...NAMESPACES].flatMap((namespace) =>
  [...KINDS.keys()].flatMap((word) => [`<${namespace}${word}`, `</${namespace}${word}`]),
);

/** The characters that follow `<` in a tag that counts. */
const SECOND = [...new Set(HEADS.map((head) => head.charAt(1)))].join('');

const NAMESPACE = `(?:${NAMESPACES.join('|')})?`;
const WORD = new RegExp(`</?${NAMESPACE}([A-Za-z_｜]*)`, 'y');

/** A tag that is longer is none: this bounds what is held back while one is not whole. */
const MAX_LENGTH = 256;

/** More white space than this between two tags makes them unrelated. */
const MAX_GAP = 256;

const VALUE = String.raw`\s*=\s*(["']?)([^"'<>]+)\3`;
const ATTRIBUTES = String.raw`\s[^<>]*?\bname\s*=\s*(["'])([^"'<>]*)\5[^<>]*`;
const TAG = new RegExp(`^<(/?)${NAMESPACE}([A-Za-z_]+)(?:${VALUE}|${ATTRIBUTES}|\\s[^<>]*)?\\s*>$`);

const TEXT = /\sstring="true"/;

/** A key that has tags of its own: up to the value, they are the tag that opens a parameter. */
const KEY = new RegExp(`^<${NAMESPACE}arg_key>([^<>]+)</${NAMESPACE}arg_key>\\s*<${NAMESPACE}arg_value>`);
const BEGUN_KEY = new RegExp(`^<${NAMESPACE}arg_key(?:>[^<>]*(?:</${NAMESPACE}arg_key>\\s*)?(<[^<>]*)?)?$`);

/**
 * The tag at the cursor, which stands at `<`; undefined if there is none. Does not consume it. Waits no longer than
 * what is there could become one.
 */
export function* readTag(input: Input): Parsing<Tag | undefined> {
  for (;;) {
    const found = parseTagAt(input.text, input.at);
    if (found !== 'partial') {
      return found;
    }
    if (input.isEnded) {
      return undefined;
    }
    yield;
  }
}

/** What stands behind some characters from the cursor on, white space aside. Consumes nothing. */
export function* nextTagFrom(input: Input, offset: number): Parsing<NextTag> {
  const limit = offset + MAX_GAP;
  let place = offset;
  for (;;) {
    const at = input.at + place;
    if (at < input.text.length) {
      if (isWhitespace(input.text.charCodeAt(at)) && place < limit) {
        place++;
        continue;
      }
      const tag = input.text.charAt(at) === '<' ? parseTagAt(input.text, at) : undefined;
      if (tag !== 'partial') {
        return { offset: place, tag, isEnd: false, isCut: false };
      }
      if (input.isEnded) {
        // A closing tag that is cut off says as much as a whole one.
        return { offset: place, isEnd: input.text.startsWith('</', at), isCut: true };
      }
    } else if (input.isEnded) {
      return { offset: place, isEnd: true, isCut: false };
    }
    yield;
  }
}

/** Whether the answer ends at the cursor in the middle of a tag. */
export function endsInTag({ text, at, isEnded }: Input): boolean {
  return isEnded && text.startsWith('<', at) && parseTagAt(text, at) === 'partial';
}

/** Whether the answer ends at the cursor in the middle of a closing tag. */
export function endsInClosingTag(input: Input): boolean {
  return input.text.startsWith('</', input.at) && endsInTag(input);
}

export function parseTagAt(text: string, at: number): Tag | 'partial' | undefined {
  if (!SECOND.includes(text.charAt(at + 1))) {
    return undefined;
  }
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[1];
  if (WORD.lastIndex === text.length) {
    const begun = text.slice(at);
    return HEADS.some((head) => head.startsWith(begun)) ? 'partial' : undefined;
  }
  // Most of what begins with `<` is something else, and that is seen at its word.
  if (word === undefined || !KINDS.has(word)) {
    return undefined;
  }
  const candidate = text.slice(at, at + MAX_LENGTH);
  if (word === 'arg_key' && candidate.charAt(1) !== '/') {
    return parseKey(candidate);
  }
  const close = candidate.indexOf('>');
  if (close >= 0) {
    return parseTag(candidate.slice(0, close + 1));
  }
  return candidate.length < MAX_LENGTH && candidate.lastIndexOf('<') === 0 ? 'partial' : undefined;
}

function parseTag(tag: string): Tag | undefined {
  const match = TAG.exec(tag);
  const kind = match && KINDS.get(match[2]!);
  if (!kind) {
    return undefined;
  }
  const isClosing = match[1] === '/';
  const name = (match[4] ?? match[6] ?? '').trim();
  const isNamed = kind === 'function' || kind === 'parameter';
  return !isNamed || isClosing || name !== ''
    ? { kind, isClosing, name, word: match[2]!, isText: TEXT.test(tag), length: tag.length }
    : undefined;
}

function parseKey(text: string): Tag | 'partial' | undefined {
  const match = KEY.exec(text);
  if (match) {
    const [{ length }, key] = match;
    return {
      kind: 'parameter',
      isClosing: false,
      name: key!.trim(),
      word: 'arg_value',
      isText: false,
      length,
    };
  }
  const begun = text.length < MAX_LENGTH ? BEGUN_KEY.exec(text) : undefined;
  return begun && HEADS.some((head) => `${head}>`.startsWith(begun[1] ?? '')) ? 'partial' : undefined;
}
