/** Characters of the longest escape that is decoded. */
export const MAX_ENTITY = 14;
/** Characters of the longest tag. */
export const MAX_TAG = 15;

/** Signs and letters by the names that programs give them when they escape a text, or that authors of pages write. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: '\u00a0', shy: '\u00ad' },
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', sbquo: '‚', bdquo: '„' },
  ...{ laquo: '«', raquo: '»', lsaquo: '‹', rsaquo: '›', hellip: '…', bull: '•', middot: '·', deg: '°' },
  ...{ copy: '©', reg: '®', trade: '™', euro: '€', pound: '£', sect: '§', iexcl: '¡', iquest: '¿' },
  ...{ times: '×', le: '≤', ge: '≥', larr: '←', rarr: '→', thinsp: ' ', ensp: ' ', emsp: ' ' },
  ...{ szlig: 'ß', aelig: 'æ', AElig: 'Æ', oelig: 'œ', OElig: 'Œ', oslash: 'ø', Oslash: 'Ø' },
};
/** Accents, which a letter stands before: `&eacute;`. */
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ grave: '\u0300', acute: '\u0301', circ: '\u0302', tilde: '\u0303' },
  ...{ uml: '\u0308', ring: '\u030a', caron: '\u030c', cedil: '\u0327' },
};
const NAMED: ReadonlyMap<string, number> = new Map([
  ...Object.entries(SIGNS).map(([name, sign]): [string, number] => [`&${name};`, sign.charCodeAt(0)]),
  ...[...'aceinosuyzACEINOSUYZ'].flatMap((letter) =>
    Object.entries(ACCENTS).map(([name, accent]): [string, number] => [
      `&${letter}${name};`,
      (letter + accent).normalize().charCodeAt(0),
    ]),
  ),
]);
const NAME_STARTS: ReadonlySet<string> = new Set([...NAMED.keys()].flatMap(startsOf));

/**
 * The tags that lay out a text, without attributes, each with the layout that a plain text has in its place: a block begins
 * a line, an item and a row begin with their marks.
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
const TAG_STARTS: ReadonlySet<string> = new Set([...TAGS.keys()].flatMap(startsOf));

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
    ? (NAMED.get(text) ?? NAMED.get(text.toLowerCase()))
    : Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16);
}

/** Whether a text may become an entity. */
export function mayBeEntity(text: string): boolean {
  return NAME_STARTS.has(text) || NAME_STARTS.has(text.toLowerCase()) || PARTIAL_NUMERIC.test(text);
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

function startsOf(name: string): string[] {
  return Array.from(name, (_, at) => name.slice(0, at + 1));
}
