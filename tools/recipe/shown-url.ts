/** Values in queries that hold no secret: empty, flags, small numbers, languages. */
const HARMLESS_VALUE = /^(?:|true|false|\d{1,4}|[a-z]{2}(?:[-_][A-Z]{2})?)$/;

/** A URL for display: without fragment, user and password, and with `…` for values that may be secrets. */
export function shownUrl(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return url.split(/[?#]/, 1)[0] ?? '';
  }
  if (parsed.origin === 'null' && !parsed.host) {
    return `${parsed.protocol}…`;
  }
  const query = [...parsed.searchParams].map(([name, value]) =>
    HARMLESS_VALUE.test(value) ? `${name}=${value}` : `${name}=…`,
  );
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** The first characters of a text as one line, in quotes. */
export function shownText(text: string, length = 80): string {
  const line = text
    .slice(0, 4 * length)
    .replace(/\s+/g, ' ')
    .trim();
  return `“${line.slice(0, length)}${line.length > length || text.length > 4 * length ? '…' : ''}”`;
}
