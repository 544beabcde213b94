/** Words for what a row is called, the best first. */
const TITLES = [
  'title',
  'name',
  'names',
  'subject',
  'summary',
  'headline',
  'label',
  'package',
  'packages',
  'key',
  'unit',
  'object',
  'resource',
  'target',
  'image',
];

/** Words for what a next call asks for a row by, the best first. */
const CODES = ['key', 'number', 'iid', 'ref', 'slug', 'sku', 'version', 'login', 'id', 'uuid', 'uid', 'guid'];

/** Wrappers of a text: `title.rendered`, `title[].plain_text`, `summary.text.content`. */
const WRAPPER = /(?:\[\d{0,4}\])?\.(?:plain_text|text(?:\.content)?|content|rendered|value|displayvalue)$/i;

/** What the values of a column are measured in, or else is said of them: `Name (time in ns)`. */
const REMARK = / \([^()]{1,60}\)$/;

/** How well a column says what a row is called; smaller numbers, the first first, are better. */
export interface NamingRank {
  /** Names of the row itself stand higher than those of what belongs to it: `name` and `owner.name`. */
  readonly depth: number;
  /** Words before the one that names: `subject` has none, `fileName` one. */
  readonly words: number;
  readonly place: number;
}

/** Whether a column says what its rows are called, by its name: `title`, `RoleName`, `fields.summary`, `headers[Subject]`. */
export function titleRank(column: string): NamingRank | undefined {
  return rankAmong(TITLES, column.replace(WRAPPER, '').replace(REMARK, ''));
}

/** The same for a code of the rows: `number`, `shortId`, `_id`. */
export function codeRank(column: string): NamingRank | undefined {
  return rankAmong(CODES, column);
}

/** For sorting, the best first; those without a rank last. */
export function compareRanks(a: NamingRank | undefined, b: NamingRank | undefined): number {
  if (!a || !b) {
    return (a ? 0 : 1) - (b ? 0 : 1);
  }
  return a.depth - b.depth || a.words - b.words || a.place - b.place;
}

function rankAmong(naming: readonly string[], column: string): NamingRank | undefined {
  const parts = column.split(/[.[\]]+/).filter((part) => part !== '');
  const words = wordsOf(parts.at(-1) ?? '');
  const place = naming.indexOf(words.at(-1) ?? '');
  return place < 0 ? undefined : { depth: parts.length, words: words.length - 1, place };
}

function wordsOf(name: string): string[] {
  return name
    .slice(0, 100)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
