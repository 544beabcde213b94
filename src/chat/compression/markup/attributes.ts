import { decodeEntities } from './entities.js';

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
