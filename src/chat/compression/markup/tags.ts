import { decodeEntities } from './entities.js';
/** A tag, a text between tags, a comment or another construct of markup. */
export interface MarkupToken {
  readonly kind: 'open' | 'close' | 'text' | 'comment' | 'other';
  /** Name of the tag in lower case; empty for other kinds. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly isEmpty: boolean;
}

/** Elements of HTML whose content is not read as markup. */
const RAW = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
]);

/**
 * Splits markup into tokens, in one pass. Never fails: a `<` that begins no tag is text.
 * @param isHtml whether elements such as `script` are one token with their content
 */
export function* readTags(text: string, isHtml: boolean): Generator<MarkupToken> {
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('<', at);
    const token = open < 0 ? undefined : readTag(text, open);
    if (open > at || open < 0 || !token) {
      const end = open < 0 ? text.length : open > at ? open : open + 1;
      yield { kind: 'text', name: '', start: at, end, isEmpty: false };
      at = end;
      continue;
    }
    const isRaw = isHtml && token.kind === 'open' && !token.isEmpty && RAW.has(token.name);
    const whole = isRaw ? { ...token, end: rawEnd(text, token.end, token.name) } : token;
    yield whole;
    at = whole.end;
  }
}

function readTag(text: string, open: number): MarkupToken | undefined {
  if (text.startsWith('<!--', open)) {
    return until(text, open, '-->', 'comment');
  }
  if (text.startsWith('<![CDATA[', open)) {
    return until(text, open, ']]>', 'text');
  }
  if (text[open + 1] === '!' || text[open + 1] === '?') {
    return until(text, open, '>', 'other');
  }
  const isClose = text[open + 1] === '/';
  const nameStart = open + (isClose ? 2 : 1);
  const name = /^[A-Za-z_][\w:.-]{0,80}/.exec(text.slice(nameStart, nameStart + 82))?.[0];
  const end = name === undefined ? -1 : tagEnd(text, nameStart + name.length);
  if (name === undefined || end < 0) {
    return undefined;
  }
  return {
    kind: isClose ? 'close' : 'open',
    name: name.toLowerCase(),
    start: open,
    end,
    isEmpty: text[end - 2] === '/',
  };
}

function until(text: string, start: number, close: string, kind: MarkupToken['kind']): MarkupToken {
  const at = text.indexOf(close, start + 2);
  return { kind, name: '', start, end: at < 0 ? text.length : at + close.length, isEmpty: false };
}

/** Longest tag in characters. Keeps the time linear for texts with many a lone `<`, which are text. */
const MAX_TAG = 100_000;

/** Index behind the `>` that ends a tag, quoted values respected; -1 if there is none. */
function tagEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_TAG);
  for (let i = start; i < limit; i++) {
    const char = text[i];
    if (char === '>') {
      return i + 1;
    }
    if (char === '<') {
      return -1;
    }
    if ((char === '"' || char === "'") && text[i - 1] === '=') {
      const close = text.indexOf(char, i + 1);
      if (close < 0) {
        return -1;
      }
      i = close;
    }
  }
  return -1;
}

function rawEnd(text: string, start: number, name: string): number {
  for (let at = text.indexOf('</', start); at >= 0; at = text.indexOf('</', at + 2)) {
    if (text.slice(at + 2, at + 2 + name.length).toLowerCase() === name) {
      const end = text.indexOf('>', at);
      return end < 0 ? text.length : end + 1;
    }
  }
  return text.length;
}

/** Value of an attribute, entities not decoded; undefined if the tag does not have it. */
export function attribute(tag: string, name: string): string | undefined {
  for (let at = tag.indexOf(name); at >= 0; at = tag.indexOf(name, at + 1)) {
    if (!/\s/.test(tag.charAt(at - 1)) || tag[at + name.length] !== '=') {
      continue;
    }
    const start = at + name.length + 1;
    const quote = tag.charAt(start);
    if (quote === '"' || quote === "'") {
      const end = tag.indexOf(quote, start + 1);
      return end < 0 ? undefined : tag.slice(start + 1, end);
    }
    return /^[^\s>]{0,4000}/.exec(tag.slice(start, start + 4000))?.[0];
  }
  return undefined;
}

/** Attributes of a tag as pairs of name and decoded value, in order; those without quotes are left out. */
export function attributes(tag: string): [string, string][] {
  const found: [string, string][] = [];
  for (let at = tag.indexOf('='); at >= 0; at = tag.indexOf('=', at + 1)) {
    const quote = tag.charAt(at + 1);
    const end = quote === '"' || quote === "'" ? tag.indexOf(quote, at + 2) : -1;
    if (end < 0) {
      continue;
    }
    const name = /[\w:.-]{1,80}$/.exec(tag.slice(Math.max(0, at - 80), at))?.[0];
    if (name !== undefined) {
      found.push([name, decodeEntities(tag.slice(at + 2, end))]);
    }
    at = end;
  }
  return found;
}
