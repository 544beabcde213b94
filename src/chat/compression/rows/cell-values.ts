import { inSequence } from '../kit/pattern-table.js';

/** A number or a time in one row of a column. */
export interface Quantity {
  readonly row: number;
  readonly amount: number;
}

const EMPTY = new Set([
  '',
  'null',
  '""',
  '[]',
  '{}',
  '-',
  'NULL',
  'N/A',
  'n/a',
  '<none>',
  'NaN',
  'None',
  'nil',
  '—',
]);

export function isEmpty(cell: string): boolean {
  return EMPTY.has(cell);
}

/** A number in quotes or not, with a currency on one side, separators of thousands, fraction, exponent and unit or not. */
const NUMBER = inSequence([
  /^"?[$€£]?/,
  /([+-]?\d{1,3}(?:,\d{3}){1,6}|[+-]?\d{1,30})/,
  /(\.\d{1,30})?/,
  /([eE][+-]?\d{1,3})?/,
  /[ ]?(%|ms|s|us|µs|ns|[kKMGT]?i?B|[kmgt]i?b|[kKMGT]i?|m)?(?: ?[$€£])?"?$/,
]);
const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  kb: 1e3,
  kib: 1e3,
  mb: 1e6,
  mib: 1e6,
  gb: 1e9,
  gib: 1e9,
  tb: 1e12,
  tib: 1e12,
};

/**
 * The number in a cell such as `12.5`, `"1,024"`, `45%`, `128Mi`, scaled by its unit; undefined if it is none. For
 * comparison within one column only: binary and decimal prefixes are not told apart.
 */
export function cellNumber(cell: string): number | undefined {
  const match = NUMBER.exec(cell);
  if (!match) {
    return duration(cell);
  }
  const [, whole = '', fraction = '', exponent = '', unit = ''] = match;
  const scale = UNITS[unit] ?? UNITS[unit.charAt(0)] ?? 1;
  return Number(whole.replaceAll(',', '') + fraction + exponent) * scale;
}

/** How long something took, in more than one unit: `1h2m3s`, `58m12s`. */
const DURATION = /^"?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6}(?:\.\d{1,9})?)s)?"?$/;

function duration(cell: string): number | undefined {
  const parts: (string | undefined)[] = DURATION.exec(cell)?.slice(1) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  const units = parts.filter((part) => part !== undefined).length;
  return units > 1 ? hours * 3600 + minutes * 60 + seconds : undefined;
}

const TIME = /^"?(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?/;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAY = /^"?(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?/;

/** `Sat Nov 28 09:02:31 2026 +0100`, `Mar  3 12:09:48 2023 GMT`, behind the day of the week. */
const MONTH_FIRST = /^([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d) (?:[A-Z]{2,5} )?(\d{4})\b/;

/** `28 Nov 2026 08:52:50 GMT`, behind the day of the week. */
const DAY_FIRST = /^(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d)\b/;

/**
 * The time in a cell such as `2024-05-01T10:00:00Z` as seconds since 1970; undefined if it is none. For comparison
 * within one column only: time zones are ignored.
 */
export function cellTime(cell: string): number | undefined {
  const match = TIME.exec(cell);
  if (!match) {
    return namedTime(cell);
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

/** The time in a cell that names the month. */
function namedTime(cell: string): number | undefined {
  const text = cell.slice(0, 60).replace(WEEKDAY, '');
  const [, name = '', first = '', hour, minute, second, last] = MONTH_FIRST.exec(text) ?? [];
  const [, day = first, month = name, year = last, ...time] = DAY_FIRST.exec(text) ?? [];
  const at = MONTHS.indexOf(month);
  const [hours, minutes, seconds] = time.length > 0 ? time : [hour, minute, second];
  return at < 0
    ? undefined
    : Date.UTC(Number(year), at, Number(day), Number(hours), Number(minutes), Number(seconds)) / 1000;
}

/**
 * Tukey's outer fences: a quantity is an outlier if it lies more than three interquartile ranges below the first or
 * above the third quartile.
 * @param sorted ascending
 */
export function quartiles(sorted: readonly Quantity[]): { readonly low: number; readonly high: number } {
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)]?.amount ?? 0;
  const width = at(0.75) - at(0.25);
  return { low: at(0.25) - 3 * width, high: at(0.75) + 3 * width };
}

/** Shape of a text: the kinds of its characters in order, runs counted once, so `user-12` is `a-9`. */
export function shapeOf(cell: string): string {
  let shape = '';
  let last = '';
  for (let i = 0; i < cell.length && i < 60; i++) {
    const kind = kindOf(cell.charCodeAt(i));
    if (kind !== last) {
      shape += kind;
      last = kind;
    }
  }
  return shape;
}

function kindOf(code: number): string {
  if (code >= 0x30 && code <= 0x39) {
    return '9';
  }
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code > 0x7f) {
    return 'a';
  }
  return String.fromCharCode(code);
}

/** The first folder of a path, the first number of an address. */
export function firstPart(value: string): string {
  return /[^/.:@"-]+/.exec(value.slice(0, 80))?.[0] ?? '';
}

/** The extension of a path; empty for other values. */
export function endingOf(value: string): string {
  return /\.[A-Za-z]\w{0,9}(?="?$)/.exec(value.slice(-16))?.[0] ?? '';
}
