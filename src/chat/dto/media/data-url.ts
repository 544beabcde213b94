const SCHEME = 'data:';
const IS_BASE64 = /;base64$/i;
/** Far longer than any media type. */
const MAX_TYPE_CHARS = 200;

/** What base64 never has. One class of characters, so that a search costs no more than the length. */
const NO_BASE64 = /[^A-Za-z0-9+/=\s]/;

export interface DataUrl {
  /** Media type with its parameters, as it stands; empty if the address names none. */
  readonly type: string;
  /** Not checked. */
  readonly base64: string;
}

/** The parts of a data URL in base64; undefined for any other address. */
export function parseDataUrl(url: string): DataUrl | undefined {
  if (!url.startsWith(SCHEME)) {
    return undefined;
  }
  const comma = url.indexOf(',');
  const head = url.slice(SCHEME.length, Math.min(Math.max(comma, 0), MAX_TYPE_CHARS));
  return IS_BASE64.test(head)
    ? { type: head.replace(IS_BASE64, ''), base64: url.slice(comma + 1) }
    : undefined;
}

/** A data URL of the parts that `parseDataUrl` gives. */
export function toDataUrl({ type, base64 }: DataUrl): string {
  return `${SCHEME}${type};base64,${base64}`;
}

/** Whether a text is base64 as far as its characters tell, and not empty. */
export function isBase64(text: string): boolean {
  return text !== '' && !NO_BASE64.test(text);
}
