import { TAG_NAMESPACES, TAG_WORDS, type TagKind } from './tag-words.js';

export interface Tag {
  readonly kind: TagKind;
  readonly isClosing: boolean;
  /** Name of the function or key of the parameter; empty for other kinds and for closing tags. */
  readonly name: string;
  /** Tag name without namespace; the same in the opening and the closing tag of a pair. */
  readonly word: string;
  /** Whether the tag declares its parameter to be text whatever that looks like: `string="true"`. */
  readonly isText: boolean;
  /** Characters of the tag, or of the tags and the key from `<arg_key>` to `<arg_value>`. */
  readonly length: number;
}

/** All beginnings of tags up to the end of their word, e.g. `</minimax:invoke`. */
const HEADS = ['', ...TAG_NAMESPACES].flatMap((namespace) =>
  [...TAG_WORDS.keys()].flatMap((word) => [`<${namespace}${word}`, `</${namespace}${word}`]),
);

/** The characters that follow `<` in those heads: most other text is ruled out by them. */
const SECOND_CHARS = [...new Set(HEADS.map((head) => head.charAt(1)))].join('');

const NAMESPACE = `(?:${TAG_NAMESPACES.join('|')})?`;

/** `<invoke`, `</parameter`. Group 1: the word. */
const TAG_HEAD = new RegExp(`</?${NAMESPACE}([A-Za-z_｜]*)`, 'y');

/** `=read_file`, `="read_file"`. Group 4 of TAG: the name. */
const NAME_AS_VALUE = String.raw`\s*=\s*(["']?)([^"'<>]+)\3`;

/** ` name="read_file" string="true"`. Group 6 of TAG: the name. */
const NAME_AS_ATTRIBUTE = String.raw`\s[^<>]*?\bname\s*=\s*(["'])([^"'<>]*)\5[^<>]*`;

const OTHER_ATTRIBUTES = String.raw`\s[^<>]*`;

/** A whole tag. Groups 1: `/` of a closing tag, 2: the word, 4 or 6: the name. */
const TAG = new RegExp(
  String.raw`^<(/?)${NAMESPACE}([A-Za-z_]+)(?:${NAME_AS_VALUE}|${NAME_AS_ATTRIBUTE}|${OTHER_ATTRIBUTES})?\s*>$`,
);

const DECLARES_TEXT = /\sstring="true"/;

/** `<arg_key>path</arg_key>\n<arg_value>`, which together open a parameter. Group 1: the key. */
const KEY_AND_VALUE = new RegExp(
  String.raw`^<${NAMESPACE}arg_key>([^<>]+)</${NAMESPACE}arg_key>\s*<${NAMESPACE}arg_value>`,
);

/** A beginning of that, e.g. `<arg_key>path</arg_`. Group 1: the tag that is cut off. */
const PARTIAL_KEY_AND_VALUE = new RegExp(
  String.raw`^<${NAMESPACE}arg_key(?:>[^<>]*(?:</${NAMESPACE}arg_key>\s*)?(<[^<>]*)?)?$`,
);

/** Characters of the longest tag. Anything longer is text, which bounds the text that is held back as a partial tag. */
const MAX_TAG_LENGTH = 256;

/**
 * The tag that begins with the `<` at an offset; undefined if there is none.
 * @returns `partial` if the text ends before it can be told
 */
export function parseTagAt(text: string, at: number): Tag | 'partial' | undefined {
  if (!SECOND_CHARS.includes(text.charAt(at + 1))) {
    return undefined;
  }
  TAG_HEAD.lastIndex = at;
  const word = TAG_HEAD.exec(text)?.[1];
  if (TAG_HEAD.lastIndex === text.length) {
    const begun = text.slice(at);
    return HEADS.some((head) => head.startsWith(begun)) ? 'partial' : undefined;
  }
  // Checked before the costly patterns: most other markup differs in its word.
  if (word === undefined || !TAG_WORDS.has(word)) {
    return undefined;
  }
  const candidate = text.slice(at, at + MAX_TAG_LENGTH);
  if (word === 'arg_key' && candidate.charAt(1) !== '/') {
    return parseKeyAndValue(candidate);
  }
  const close = candidate.indexOf('>');
  if (close >= 0) {
    return parseTag(candidate.slice(0, close + 1));
  }
  return candidate.length < MAX_TAG_LENGTH && candidate.lastIndexOf('<') === 0 ? 'partial' : undefined;
}

function parseTag(tag: string): Tag | undefined {
  const match = TAG.exec(tag);
  const kind = match && TAG_WORDS.get(match[2]!);
  if (!kind) {
    return undefined;
  }
  const isClosing = match[1] === '/';
  const name = (match[4] ?? match[6] ?? '').trim();
  const needsName = (kind === 'function' || kind === 'parameter') && !isClosing;
  return needsName && name === ''
    ? undefined
    : { kind, isClosing, name, word: match[2]!, isText: DECLARES_TEXT.test(tag), length: tag.length };
}

function parseKeyAndValue(text: string): Tag | 'partial' | undefined {
  const match = KEY_AND_VALUE.exec(text);
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
  const begun = text.length < MAX_TAG_LENGTH ? PARTIAL_KEY_AND_VALUE.exec(text) : undefined;
  return begun && HEADS.some((head) => `${head}>`.startsWith(begun[1] ?? '')) ? 'partial' : undefined;
}
