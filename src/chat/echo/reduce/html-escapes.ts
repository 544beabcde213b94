import { NEWLINE } from './characters.js';

/** Characters of the longest escape that is decoded. */
export const MAX_ENTITY = 14;

/** The named entities that programs write when they escape a text. */
const NAMED: ReadonlyMap<string, number> = new Map([
  ['&lt;', 0x3c],
  ['&gt;', 0x3e],
  ['&amp;', 0x26],
  ['&quot;', 0x22],
  ['&apos;', 0x27],
  ['&nbsp;', 0xa0],
]);

/** Tags of line breaks, whose end may be escaped once more than their beginning is by now. */
const LINE_BREAKS: readonly string[] = ['<br', '<br/', '<br /'].flatMap((tag) =>
  ['>', '&gt;', '&amp;gt;'].map((end) => tag + end),
);

const NUMERIC = /^&#(?:x([\da-f]{1,6})|(\d{1,7}));$/i;
const PARTIAL_NUMERIC = /^&#(?:x[\da-f]{0,6}|\d{0,7})$/i;

/** The character that an escape stands for, a line break for `<br>`; undefined for any other text. */
export function entityCode(text: string): number | undefined {
  if (text.startsWith('<')) {
    return LINE_BREAKS.includes(text.toLowerCase()) ? NEWLINE : undefined;
  }
  if (!text.endsWith(';')) {
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

/** Whether a text may become the tag of a line break. */
export function mayBeLineBreak(text: string): boolean {
  return LINE_BREAKS.some((tag) => tag.startsWith(text.toLowerCase()));
}
