import { TAG_NAMESPACES, TAG_WORDS, type TagKind } from './tag-words.js';

export interface Tag {
  readonly kind: TagKind;
  readonly isClosing: boolean;
  /** Name of the function or key of the parameter; empty for a parameter without a key, other kinds and closing tags. */
  readonly name: string;
  /** Tag name without namespace, in lower case; the same in the opening and the closing tag of a pair. */
  readonly word: string;
  /** Whether the tag name is in lower case, as all dialects have it; models that shout do so in the whole call. */
  readonly isPlain: boolean;
  /** Whether the tag declares its parameter to be text whatever that looks like: `string="true"`. */
  readonly isText: boolean;
  /** Characters of the tag, or of the tags and the key from `<arg_key>` to `<arg_value>`. */
  readonly length: number;
}

export function isOpening(tag: Tag, kind: TagKind): boolean {
  return tag.kind === kind && !tag.isClosing;
}

export function isClosing(tag: Tag, kind: TagKind): boolean {
  return tag.kind === kind && tag.isClosing;
}

export function beginsCall(tag: Tag): boolean {
  return isOpening(tag, 'wrapper') || isOpening(tag, 'function');
}

export function endsCall(tag: Tag): boolean {
  return isClosing(tag, 'wrapper') || isClosing(tag, 'function');
}

/** All beginnings of tags up to the end of their word, in lower case and without blanks, e.g. `</minimax:invoke`. */
const HEADS = ['', ...TAG_NAMESPACES].flatMap((namespace) =>
  [...TAG_WORDS.keys()].flatMap((word) => [
    `<${namespace}${word}`.toLowerCase(),
    `</${namespace}${word}`.toLowerCase(),
  ]),
);

/** The two characters that follow `<` in those heads, in any case: other text is ruled out by them. */
const SECOND_CHARS: ReadonlySet<string> = new Set(
  HEADS.map((head) => head.slice(1, 3)).flatMap((two) => [two, two.toUpperCase(), capitalized(two)]),
);

const SPACE = 0x20;

const NAMESPACE = `(?:${TAG_NAMESPACES.map((namespace) => namespace.replaceAll('|', String.raw`\|`)).join('|')})?`;

/** What each checkpoint of Hunyuan 4 has behind its tag names: `<tool_call:6124c78e>`. */
const SUFFIX = '(?::[0-9a-f]{8})?';
const PARTIAL_SUFFIX = /:[0-9a-f]*$/;

/** `<`, `</` and `< / `, as some models write. Group 1: `/` of a closing tag. */
const OPENER = '< ?(/?) ?';
const CLOSES = /^< ?\//;

/** `<invoke`, `</parameter`. Group 2: the word. */
const TAG_HEAD = new RegExp(`${OPENER}${NAMESPACE}([A-Za-z_｜‖|-]*)`, 'iy');

/** `=read_file`, `="read_file"`, `=city type="string"`. Group 4 of TAG: the name. */
const NAME_AS_VALUE = String.raw`\s*=\s*(["']?)([^"'<>]+?)\3["']?(?:\s+\w+="[^"<>]*")*`;

/** ` name="read_file" string="true"`, ` name=read_file`. Groups 6 and 7 of TAG: the name, the one without quotes. */
const NAME_AS_ATTRIBUTE = String.raw`\s[^<>]*?\bname\s*=\s*(?:(["'])([^"'<>]*)(?:\5|(?=\s*>))|([^\s"'<>=/]+))[^<>]*`;

/** ` read_file`, where the sign in front of the name is forgotten. Group 8 of TAG: the name. */
const NAME_ALONE = String.raw`\s+([\w.-]+)`;

const OTHER_ATTRIBUTES = String.raw`\s[^<>]*`;

/** A whole tag. Groups 1: `/` of a closing tag, 2: the word, 4, 6, 7 or 8: the name. */
const TAG = new RegExp(
  String.raw`^${OPENER}${NAMESPACE}([A-Za-z_-]+)${SUFFIX}(?:${NAME_AS_VALUE}|${NAME_AS_ATTRIBUTE}|${NAME_ALONE}|${OTHER_ATTRIBUTES})?\s*>$`,
  'i',
);

/** A closing tag whose `>` is missing in front of the next tag. Group 1: the word. */
const UNENDED_CLOSER = new RegExp(String.raw`^< ?/ ?${NAMESPACE}([A-Za-z_-]+)${SUFFIX}(?=\s+<)`, 'i');

/**
 * An opening tag whose `>` is missing: that of a function in front of the next line's tag, closed at once,
 * `<function=f</function>`, or in front of the arguments, `<function=f{"a": 1}`, `<function=f=[{"a": 1}]`, and that of a
 * parameter at the end of the line, or with `=` in its place, `<parameter=a=1<`.
 * Groups 1 or 3: the word, 2 or 4: the name.
 */
const UNENDED_OPENER = new RegExp(
  String.raw`^<${NAMESPACE}(?:(function)=([\w.-]+)(?:</function\s*>|(?=[^\S\n]*\r?\n\s*<)|\s*[,=]?\s*(?=[[(]?\s*\{))` +
    String.raw`|(parameter)=([\w.-]+)(?:[^\S\n]*(?=\r?\n\s*[^\s>])|=(?=[^<>\n]*</parameter)))`,
  'i',
);

/** A beginning of that with a further `<`. */
const PARTIAL_OPENER = new RegExp(
  String.raw`^<${NAMESPACE}(?:function=[\w.-]+|parameter=[\w.-]+=[^<>\n]*)</?[a-z]*\s*$`,
  'i',
);

/** The opening tag of a wrapper whose `>` is missing in front of the next line's JSON. Group 1: the word. */
const UNENDED_WRAPPER = new RegExp(
  String.raw`^<${NAMESPACE}(tool_calls?|function_calls?)(?=[^\S\n]*\r?\n\s*[{[])`,
  'i',
);

/** Characters from which on the beginning of a closing tag is hardly one of HTML: `</par`. */
const MIN_CUT_CLOSER = 5;

const HAS_VALUE = /\svalue\s*=\s*["']/;

const DECLARES_TEXT = /\sstring="true"/;

/** The end of a key, which models mistake for that of a value, and the colon that some write behind it. */
const END_OF_KEY = String.raw`< ?/ ?${NAMESPACE}arg_(?:key|value)${SUFFIX}\s*>\s*(?::\s*)?`;

/**
 * `<arg_key>path</arg_key>\n<arg_value>`, which together open a parameter, one of the last two tags perhaps missing.
 * Groups 1: the key, 2: the word of the value.
 */
const KEY_AND_VALUE = new RegExp(
  String.raw`^< ?${NAMESPACE}arg_key${SUFFIX}\s*>([^<>]+)(?:(?:${END_OF_KEY})?< ?${NAMESPACE}(arg_value)${SUFFIX}\s*>|${END_OF_KEY}(?=[^<\s:]))`,
  'i',
);

/** A beginning of that, e.g. `<arg_key>path</arg_`. Group 1: the tag that is cut off. */
const PARTIAL_KEY_AND_VALUE = new RegExp(
  String.raw`^< ?${NAMESPACE}arg_key(?::[0-9a-f]*)?\s*(?:>[^<>]*(?:${END_OF_KEY})?(<[^<>]*)?)?$`,
  'i',
);

/** Characters of the longest tag. Anything longer is text, which bounds the text that is held back as a partial tag. */
const MAX_TAG_LENGTH = 256;

/**
 * The tag that begins with the `<` at an offset; undefined if there is none.
 * @returns `partial` if the text ends before it can be told
 */
export function parseTagAt(text: string, at: number): Tag | 'partial' | undefined {
  const start = text.charCodeAt(at + 1) === SPACE ? at + 2 : at + 1;
  const two = text.charAt(start) + text.charAt(start + 1);
  if (two.length === 2 && two !== '/ ' && !SECOND_CHARS.has(two)) {
    return undefined;
  }
  TAG_HEAD.lastIndex = at;
  const word = TAG_HEAD.exec(text)?.[2]?.toLowerCase();
  if (TAG_HEAD.lastIndex === text.length) {
    return beginsHead(text.slice(at)) ? 'partial' : undefined;
  }
  // Checked before the costly patterns: most other markup differs in its word.
  if (word === undefined || !TAG_WORDS.has(word)) {
    return undefined;
  }
  const candidate = text.slice(at, at + MAX_TAG_LENGTH);
  if (word === 'arg_key' && !CLOSES.test(candidate)) {
    return parseKeyAndValue(candidate);
  }
  const unended = UNENDED_CLOSER.exec(candidate) ?? UNENDED_OPENER.exec(candidate);
  if (unended) {
    return tagWithoutEnd(unended, CLOSES.test(candidate));
  }
  const wrapper = UNENDED_WRAPPER.exec(candidate);
  if (wrapper) {
    return tagWithoutEnd(wrapper, false);
  }
  const close = candidate.indexOf('>');
  if (close >= 0) {
    return parseTag(candidate.slice(0, close + 1));
  }
  const mayBecome = candidate.lastIndexOf('<') === 0 || PARTIAL_OPENER.test(candidate);
  return mayBecome && candidate.length < MAX_TAG_LENGTH ? 'partial' : undefined;
}

/** Whether the text from an offset to its end is the beginning of a closing tag of this word, and hardly anything else. */
export function endsInCloserOf(text: string, at: number, word: string): boolean {
  const begun = text
    .slice(at, at + MAX_TAG_LENGTH)
    .trimEnd()
    .replace(PARTIAL_SUFFIX, '');
  const head = TAG_NAMESPACES.find((namespace) => begun.startsWith(`</${namespace}`)) ?? '';
  return begun.length >= MIN_CUT_CLOSER + head.length && `</${head}${word}`.startsWith(begun.toLowerCase());
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function beginsHead(begun: string): boolean {
  const plain = begun.toLowerCase().replaceAll(' ', '');
  return HEADS.some((head) => head.startsWith(plain));
}

function parseTag(tag: string): Tag | undefined {
  const [, slash, written = '', , value, , quoted, bare, alone] = TAG.exec(tag) ?? [];
  const word = written.toLowerCase();
  const kind = TAG_WORDS.get(word);
  if (!kind) {
    return undefined;
  }
  const isClosing = slash === '/';
  const name = (value ?? quoted ?? bare ?? alone ?? '').trim();
  const isNameless = kind === 'function' && !isClosing && name === '';
  // Such a tag holds its value in itself: `<Parameter name="a" value="b"/>` of a configuration file.
  const isEmpty = kind === 'parameter' && value === undefined && (tag.endsWith('/>') || HAS_VALUE.test(tag));
  return isNameless || isEmpty
    ? undefined
    : {
        kind,
        isClosing,
        name,
        word,
        isPlain: word === written,
        isText: DECLARES_TEXT.test(tag),
        length: tag.length,
      };
}

function tagWithoutEnd(
  [{ length }, one, oneName, written = one ?? '', name = oneName ?? '']: RegExpExecArray,
  isClosing: boolean,
): Tag | undefined {
  const word = written.toLowerCase();
  const kind = TAG_WORDS.get(word);
  return kind && { kind, isClosing, name, word, isPlain: word === written, isText: false, length };
}

function parseKeyAndValue(text: string): Tag | 'partial' | undefined {
  const match = KEY_AND_VALUE.exec(text);
  if (match) {
    const [all, key, word = 'arg_value'] = match;
    return {
      kind: 'parameter',
      isClosing: false,
      name: key!.trim(),
      word: 'arg_value',
      isPlain: word === 'arg_value',
      isText: false,
      length: all.length,
    };
  }
  const begun = text.length < MAX_TAG_LENGTH ? PARTIAL_KEY_AND_VALUE.exec(text) : undefined;
  const cut = begun?.[1]?.toLowerCase().replaceAll(/\s/g, '').replace(PARTIAL_SUFFIX, '') ?? '';
  return begun && HEADS.some((head) => `${head}>`.startsWith(cut)) ? 'partial' : undefined;
}
