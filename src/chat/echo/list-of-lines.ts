/** Share of its lines that must be items for a text to be a list. */
const ITEM_LINES = 0.9;
const MIN_ITEMS = 3;
/** Characters of the longest item; longer lines are paragraphs. */
const MAX_ITEM_CHARS = 240;

/** The end of a line of code, or of a sentence; that of a record may name its pull request, `(#12)`, or a remark. */
const CODE_OR_PROSE_END = /(?:[{}([;,.:]|(?<!#\d{1,9}|\s\([^()]{1,80})\))$/;

/** A place that a search or a compiler names, whatever it says of it: `src/app.ts:12:`, `src/app.ts(12,5):`. */
const MATCH = /^[^\s:()]+(?::\d+|\(\d+,\d+\)):/;

/** Type and rights of a file, with which `ls -l` begins a line. */
const FILE_MODE = /^[-dlbcps](?:[-r][-w][-xsStT]){3}[.+@]?\s/;

/** A name in a tree of files. Its parts may each take the same bars, so that only short lines are looked at. */
const BRANCH = /^[│|\s]*(?:[├└│]|[|`]-)[─-]* ?\S+$/;

/** The beginning of a line that is not indented; a number may be aligned on the right. */
const BEGINNING = /^(?:\S| *\d+ )/;

/** The first line of something that a search has found. */
const ENTRY = /^(?:\d+[.)]|[-*•]|#+|\[\d+\]) *\S/;

/** A time or date at the beginning of a line, as in logs. */
const TIME =
  /^[[(]?(?:\d{4}[-/.]\d{2}[-/.]\d{2}|\d{1,2}:\d{2}:\d{2}|\d{2}\/[a-z]{3}\/\d{4}|(?:[a-z]{3} )?[a-z]{3} {1,2}\d{1,2} \d{1,2}:\d{2})/i;

/** Whether a tool result is a list of paths, or a tree of them. */
export function isPathList(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return isMostly(lines, (line) => isPath(line) || isBranch(line));
}

/** Whether a tool result is a list of files or places with what is known of each, as from `ls -l` and `grep -n`. */
export function isPlaceList(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return isMostly(lines, (line) => FILE_MODE.test(line) || isMatch(line));
}

/** Whether a tool result consists of lines that each stand for something, such as commits or users. Logs do not. */
export function isRecordList(text: string): boolean {
  const lines = text.trimEnd().split('\n');
  return lines.length >= MIN_ITEMS && isMostly(lines, isRecord);
}

/** Whether a tool result consists of what a search has found, each with its address. */
export function isHitList(text: string): boolean {
  const entries = text.split('\n').filter((line) => ENTRY.test(line)).length;
  const addresses = text.match(/https?:\/\//g)?.length ?? 0;
  return entries >= MIN_ITEMS && addresses >= entries;
}

/** Whether it is a list of records, or a log. */
export function isLineList(text: string): boolean {
  return isRecordList(text) || isMostly(text.trimEnd().split('\n'), (line) => TIME.test(line));
}

function isBranch(line: string): boolean {
  return line.length <= MAX_ITEM_CHARS && BRANCH.test(line);
}

function isMatch(line: string): boolean {
  return MATCH.test(line) && !TIME.test(line) && line.length <= MAX_ITEM_CHARS;
}

function isMostly(lines: readonly string[], isItem: (line: string) => boolean): boolean {
  return lines.length > 0 && lines.filter(isItem).length >= ITEM_LINES * lines.length;
}

/** Whether a line is a path; commas are for CSV, and signs of equality for settings. */
function isPath(line: string): boolean {
  return /^\s*[^\s/\\.,=]*[/\\.][^\s,=]*\s*$/.test(line);
}

/** Whether a line stands for itself: it is short, not indented, and neither code nor a sentence, nor one of a log. */
function isRecord(line: string): boolean {
  if (TIME.test(line)) {
    return false;
  }
  const isItem = isMatch(line) || (BEGINNING.test(line) && !CODE_OR_PROSE_END.test(line.trimEnd()));
  return isItem && line.length <= MAX_ITEM_CHARS;
}
