/** Characters of the longest escape that is decoded. */
export const MAX_ENTITY = 14;
/** Characters of the longest tag. */
export const MAX_TAG = 15;

/** The named entities that programs write when they escape a text. */
const NAMED: ReadonlyMap<string, number> = new Map([
  ['&lt;', 0x3c],
  ['&gt;', 0x3e],
  ['&amp;', 0x26],
  ['&quot;', 0x22],
  ['&apos;', 0x27],
  ['&nbsp;', 0xa0],
]);

/**
 * The tags that lay out a text, without attributes, each with the layout that a plain text has in its place: a block begins a line, an item
 * and a row begin with their marks.
 */
const TAGS: ReadonlyMap<string, string> = new Map([
  ...[
    ...['br', 'p', 'div', 'pre', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    ...['ul', 'ol', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody'],
  ].map((name): [string, string] => [name, '\n']),
  ['li', '\n- '],
  ['tr', '\n|'],
  ...['td', 'th', 'code', 'span', 'b', 'i', 'em', 'strong', 'mark', 'samp', 'a'].map(
    (name): [string, string] => [name, ' '],
  ),
]);
const TAG_STARTS: ReadonlySet<string> = new Set(
  [...TAGS.keys()].flatMap((name) => Array.from(name, (_, at) => name.slice(0, at + 1))),
);

const TAG = /^<(\/?)([a-z]+\d?) ?\/?>$/i;
const PARTIAL_TAG = /^<\/?([a-z]+\d?) ?\/?$/i;

const NUMERIC = /^&#(?:x([\da-f]{1,6})|(\d{1,7}));$/i;
const PARTIAL_NUMERIC = /^&#(?:x[\da-f]{0,6}|\d{0,7})$/i;

/** The character that an entity stands for; undefined for any other text. */
export function entityCode(text: string): number | undefined {
  if (!text.startsWith('&') || !text.endsWith(';')) {
    return undefined;
  }
  const [, hex, decimal] = NUMERIC.exec(text) ?? [];
  return hex === undefined && decimal === undefined
    ? NAMED.get(text.toLowerCase())
    : Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16);
}

/** Whether a text may become an entity. */
export function mayBeEntity(text: string): boolean {
  return (
    PARTIAL_NUMERIC.test(text) ||
    (text.startsWith('&') && [...NAMED.keys()].some((name) => name.startsWith(text.toLowerCase())))
  );
}

/**
 * The layout that a plain text has in the place of a tag without attributes; undefined for any other text. A closing tag
 * ends a line if its opening one begins a line.
 */
export function layoutOf(text: string): string | undefined {
  const [, slash, name = ''] = text.endsWith('>') ? (TAG.exec(text) ?? []) : [];
  const layout = TAGS.get(name.toLowerCase());
  return slash === '/' ? layout?.charAt(0) : layout;
}

/** Whether a text may become a tag that lays out a text. */
export function mayBeTag(text: string): boolean {
  const [, name = ''] = PARTIAL_TAG.exec(text) ?? [];
  return text === '<' || text === '</' || TAG_STARTS.has(name.toLowerCase());
}
