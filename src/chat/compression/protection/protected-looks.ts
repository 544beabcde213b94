import { compilePattern, inSequence, type PatternTable } from '../kit/pattern-table.js';
import { areAligned } from './aligned-lines.js';
import { mayBe, sampleLines, shareOf } from './line-sample.js';

/** Length and number of lines up to which a text that begins with an error is one error. Longer ones are logs. */
const MAX_ERROR_CHARS = 16_000;
const MAX_ERROR_LINES = 40;

/**
 * Whether a text must never change, judged by its content alone: keys and certificates, mailed patches, blame, the
 * outline of a page, a file with line numbers, an error.
 * @param isLog whether the call read a log, whose lines may begin with numbers
 */
export function isUntouchable(text: string, isLog: boolean): boolean {
  return (
    hasKey(text) ||
    isMailedPatch(text) ||
    isBlame(text) ||
    isPageOutline(text) ||
    isErrorBody(text) ||
    (!isLog && isNumbered(text))
  );
}

function hasKey(text: string): boolean {
  return (
    /-----BEGIN [A-Z0-9 ]{1,60}-----/.test(text) ||
    /(^|[\s"'])(ssh-(rsa|dss|ed25519)|ecdsa-sha2-[a-z0-9-]{1,30}) AAAA[A-Za-z0-9+/]{20}/.test(text)
  );
}

function isMailedPatch(text: string): boolean {
  return (
    /^From [0-9a-f]{40} Mon Sep 17 00:00:00 2001/.test(text) ||
    text.startsWith('*** Begin Patch') ||
    (/^(From|Subject|Date): /.test(text) && text.slice(0, 4000).includes('\nSubject: [PATCH'))
  );
}

/** `^a1b2c3d4 src/a.ts (Ada 2024-05-01 10:00:00 +0200  1) const a = 1;` */
const BLAME = inSequence([
  /^\^?[0-9a-f]{6,40} /,
  /[^\n]{0,160}\(.{1,80}/,
  /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} {1,8}\d{1,7}\)/,
]);
const PORCELAIN_BLAME = /^[0-9a-f]{40} \d{1,7} \d{1,7} \d{1,7}\n[^\n]{0,4000}author /;

function isBlame(text: string): boolean {
  return (
    PORCELAIN_BLAME.test(text) ||
    shareOf(sampleLines(text.slice(0, 20_000)), (line) => BLAME.test(line)) > 0.6
  );
}

/** `- button "Open" [ref=e411]`, `uid=1_23 button "Open"` */
const PAGE_ELEMENT = /\[ref=\w{1,20}\]|^[ \t]{0,200}uid=\d{1,6}_\d{1,7} /;

/** Share of the lines that must name an element; others hold its text or address. */
const MIN_ELEMENTS = 0.3;

/** Whether a text is the outline of a page, by whose marks the caller clicks. */
function isPageOutline(text: string): boolean {
  return mayBe(text, MIN_ELEMENTS, (line) => PAGE_ELEMENT.test(line));
}

const GUTTER = /^[ \t]{0,12}(\d{1,7})(?:\t|:|\||→| {1,2}[│|] ?|- )/;

/**
 * Whether a text is a file with line numbers (`12<tab>code`, `12: code`, `12|code`, `12→code`): most lines begin with
 * a number, and the numbers rise.
 */
function isNumbered(text: string): boolean {
  let last = -1;
  let numbered = 0;
  let rising = 0;
  let columns = 0;
  const lines = text.slice(0, 60_000).split('\n', 800);
  const filled = lines.filter((line) => line.trim() !== '');
  for (const line of filled) {
    const match = GUTTER.exec(line);
    if (match) {
      const number = Number(match[1]);
      rising += number > last ? 1 : 0;
      last = number;
      numbered++;
      columns += isColumns(line) ? 1 : 0;
    }
  }
  return (
    numbered >= filled.length * 0.7 &&
    rising >= numbered * 0.9 &&
    columns < numbered * 0.9 &&
    !areAligned(filled)
  );
}

/** Whether a line is a row of a table whose first column is a number: `1<tab>a<tab>b`, `1|a|b`. */
function isColumns(line: string): boolean {
  const start = line.slice(0, 2000);
  const cells = start.split('\t');
  // An empty second cell is the indentation of numbered code.
  return (
    (cells.length > 2 && cells[1] !== '') ||
    start.split(/ ?\| /).length > 2 ||
    /^\d{1,7}(\|[^|]{0,200}){2}/.test(start)
  );
}

/** Beginnings of errors. */
export const ERROR_HEADS: PatternTable = {
  before: /^/,
  alternatives: [
    ['word', /Error|ERROR|Exception|Traceback|panic|fatal|Uncaught|Unhandled/, 'fatal: not a git repository'],
    ['Rust', /thread '[^']{1,80}' panicked/, "thread 'main' panicked at src/main.rs:3:5"],
    ['HTTP status', /HTTP\/\d(?:\.\d)? [45]\d\d/, 'HTTP/1.1 503 Service Unavailable'],
    ['class of an error', /[A-Za-z_.$]{0,120}(?:Error|Exception)/, 'java.io.IOException: disk full'],
  ],
  after: /\b/,
};
const ERROR_HEAD = compilePattern(ERROR_HEADS);

/** Titles of error pages. */
export const ERROR_TITLES: PatternTable = {
  before: /<title>[ \n]{0,20}/,
  alternatives: [
    ['status', /[45]\d\d\b/, '<title>404 - no such page'],
    ['error', /Error\b/, '<title>Error</title>'],
    ['failure of the server', /Internal Server Error|Bad Gateway/, '<title>Bad Gateway'],
    ['refusal', /Not Found|Forbidden|Unauthorized/, '<title>forbidden'],
    ['unavailable', /Service (?:Temporarily )?Unavailable/, '<title>Service Temporarily Unavailable'],
  ],
  flags: 'i',
};
const ERROR_TITLE = compilePattern(ERROR_TITLES);

function isErrorBody(text: string): boolean {
  if (text.length > MAX_ERROR_CHARS) {
    return false;
  }
  const start = text.slice(0, 3000).trimStart();
  if (start.startsWith('<')) {
    return ERROR_TITLE.test(start);
  }
  const lines = sampleLines(text);
  // One error has a stack, which is indented, or a few lines below it. A log that begins with an error has more lines
  // that are not indented.
  const isOne = lines.length <= MAX_ERROR_LINES || shareOf(lines, (line) => /^[ \t]/.test(line)) > 0.4;
  return ERROR_HEAD.test(start) && isOne;
}
