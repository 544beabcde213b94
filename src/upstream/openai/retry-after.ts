/** Response headers by lower-case name, as undici gives them. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Wait requested by a rate-limited upstream, in milliseconds; undefined if it says nothing. In this order: the headers made
 * for it, the `x-ratelimit-reset…` headers of limits that are used up, the words of the message, and the other resets, since
 * one limit may be reached while most of another is left. Of several resets the longest counts.
 * @param now wall-clock milliseconds since 1970
 */
export function limitWaitMs(headers: ResponseHeaders, text: string, now: number): number | undefined {
  const { usedUp, others } = resetsIn(headers, now);
  return retryAfterMs(headers, now) ?? longest(usedUp) ?? waitFromText(text) ?? longest(others);
}

/** The wait in milliseconds of `retry-after-ms`, or of `Retry-After`: seconds or an HTTP date. */
export function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  return (
    parseMilliseconds(headerText(headers, 'retry-after-ms')) ??
    parseRetryAfter(headerText(headers, 'retry-after'), now)
  );
}

const AMOUNT = '\\d{1,9}(?:\\.\\d{1,9})?';
/** E.g. `1m2.5s` or `20 seconds`. */
const WITH_UNITS = `(?:${AMOUNT} ?(?:hours?|minutes?|seconds?|ms|[hms])(?![a-z]) ?){1,4}`;
/** Plain seconds, e.g. `20`. */
const WITHOUT_UNIT = `${AMOUNT}\\b(?!\\.\\d| ?[a-z])`;
const WAIT = new RegExp(`(?:try again|retry) (?:in|after):? (${WITH_UNITS}|${WITHOUT_UNIT})`, 'i');

/** The wait in ms named by a message such as "Please try again in 1m2.5s."; undefined without one. */
export function waitFromText(text: string): number | undefined {
  const duration = WAIT.exec(text)?.[1];
  return duration === undefined ? undefined : parseDuration(duration);
}

/** The trimmed value of a header, the first of several. */
export function headerText(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

function parseMilliseconds(text: string | undefined): number | undefined {
  return text !== undefined && isNumber(text) ? Math.ceil(Number(text)) : undefined;
}

function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  if (isNumber(text)) {
    return Math.ceil(Number(text) * 1000);
  }
  // All three forms of an HTTP date begin with the day's name; the one without a comma names no zone and means GMT.
  const [, comma] = /^[A-Z][a-z]+(,?) /.exec(text) ?? [];
  const at = comma === undefined ? NaN : Date.parse(comma === '' ? `${text} GMT` : text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

const RESET = /^x-ratelimit-reset(-\w+)?$/;

interface Resets {
  /** Of exhausted limits. */
  readonly usedUp: number[];
  readonly others: number[];
}

/** The waits of all resets. Azure sends negative numbers for limits that do not exist. */
function resetsIn(headers: ResponseHeaders, now: number): Resets {
  const resets: Resets = { usedUp: [], others: [] };
  for (const name of Object.keys(headers)) {
    const match = RESET.exec(name);
    const waitMs = match ? parseReset(headerText(headers, name) ?? '', now) : undefined;
    const [remaining, limit] = ['remaining', 'limit'].map((what) =>
      headerText(headers, `x-ratelimit-${what}${match?.[1] ?? ''}`),
    );
    if (waitMs !== undefined && !remaining?.startsWith('-') && !limit?.startsWith('-')) {
      resets[remaining === '0' ? 'usedUp' : 'others'].push(waitMs);
    }
  }
  return resets;
}

function longest(waits: readonly number[]): number | undefined {
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** Servers differ: a duration (`6m0s`, `20ms`), seconds, or a time in Unix seconds, in Unix milliseconds or in ISO 8601. */
function parseReset(text: string, now: number): number | undefined {
  const value = isNumber(text) ? Number(text) : 0;
  if (value > 1e12) {
    return Math.max(0, Math.ceil(value - now));
  }
  if (value > 1e9) {
    return Math.max(0, Math.ceil(value * 1000 - now));
  }
  if (/^\d{4}-\d\d-/.test(text)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? undefined : Math.max(0, at - now);
  }
  // No time at all says nothing: the request has just been refused.
  return parseDuration(text) || undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `1h2m3.5s`, `20ms`, `20 seconds`, or plain seconds. */
function parseDuration(text: string): number | undefined {
  let total: number | undefined;
  for (const [, amount, unit = 's'] of text.matchAll(/(\d{1,9}(?:\.\d{1,9})?) ?(ms|[hms])?/gi)) {
    total = (total ?? 0) + Number(amount) * (UNIT_MS[unit.toLowerCase()] ?? 1000);
  }
  return total === undefined ? undefined : Math.ceil(total);
}

function isNumber(text: string): boolean {
  return /^\d{1,15}(?:\.\d{1,9})?$/.test(text);
}
