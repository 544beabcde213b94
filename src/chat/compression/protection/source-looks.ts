import { templateOf } from '../kit/line-template.js';
import { mostFrequent } from '../kit/most-frequent.js';
import { compilePattern } from '../kit/pattern-table.js';
import { areAligned } from './aligned-lines.js';
import { sampleLines, shareOf } from './line-sample.js';
import { CODE_ENDS, CODE_HEADS, CODE_STARTS, CONFIG_LINES, LINE_TIMES } from './source-patterns.js';

const CODE_START = compilePattern(CODE_STARTS);
const CODE_END = compilePattern(CODE_ENDS);
const CODE_HEAD = compilePattern(CODE_HEADS);
const CONFIG_LINE = compilePattern(CONFIG_LINES);
const TIME = compilePattern(LINE_TIMES);

/** An end of a comment over several lines, without which a star is the bullet of a list. */
const COMMENT_EDGE = /^[ \t]{0,60}\/\*|\*\/[ \t\r]{0,4}$/;
const BULLET = /^[ \t]{0,60}\* /;

/** Lines at the beginning of a text that are compared with the heads of source files. */
const HEAD_LINES = 4;

/** Share of lines with a time above which a text is a log, even if it prints code. */
const MAX_TIMED_CODE = 0.3;

/**
 * Share of lines with any sign of code, and with a sure one. An end such as a comma also occurs in other texts, so
 * some lines must begin as only code does.
 */
const MIN_CODE = 0.45;
const MIN_SURE_CODE = 0.12;

/** Number of lines below which settings cannot be told from a few labelled values. */
const MIN_CONFIG_LINES = 8;
const MAX_TIMED_CONFIG = 0.1;
const MIN_CONFIG = 0.75;

/**
 * Share of keys that came before from which on they are those of records, and share of the lines up to which others may
 * stand over them as in settings: parents, sections, items of lists, comments.
 */
const MIN_AGAIN = 0.75;
const MAX_OVER_OTHERS = 0.02;
const OVER_OTHERS = /^[ \t]{0,40}(?:- |\[[^\]]{1,120}\]$|[#;]|["']?[\w./ -]{1,60}["']?:[ \t]{0,4}$)/;

/** A heading in a plan of changes (`  ~ resource "aws_instance" "web" {`), and the share of the lines that are such. */
const PLANNED = /^[ \t]{0,8}(?:[~+-]|-\/\+|\+\/-|<=) (?:resource|data) "[\w-]{1,80}" "[\w-]{1,80}" \{$/;
const MIN_PLANNED = 0.01;

/** Length in characters above which a line of prose should be a sentence; shorter ones are headings and items. */
const LONG_LINE = 60;

/**
 * Share of sentences among all lines and among the long ones. Logs and code have long lines, too, but few sentences.
 */
const MIN_SENTENCES = 0.5;
const MIN_LONG_SENTENCES = 0.6;

/** Share of headings, items, fences and sentences from which on a text is Markdown. */
const MIN_MARKDOWN = 0.5;

/** Words in a sentence, and the share of them that consist of letters. */
const MIN_WORDS = 4;
const MIN_PLAIN_WORDS = 0.75;

/**
 * Lines from which on they may be messages of a program, the share of them that then begin alike, and of their words
 * that come again: those of requirements differ, although all may begin with `The system`.
 */
const MIN_MESSAGES = 12;
const MIN_ALIKE = 0.5;
const MIN_REPEATED = 0.7;

/**
 * Sentences from which on they may be messages although they begin differently, the share that must have a number or a
 * path, and the share of different ones, these aside: prose hardly repeats a sentence.
 */
const MIN_FEW_OF = 100;
const MIN_VARIABLE = 0.75;
const MAX_TEMPLATES = 0.1;

/** Mark of a test that has passed or failed, behind which its name reads like a sentence. */
const TESTED = /^[ \t]{0,40}[✓✔√✕✗✖✘] /;

/**
 * Whether a text looks like program code: its first lines do, or many of its lines begin or end as in code. A plan of
 * changes is none: nobody edits it.
 */
export function looksLikeCode(text: string): boolean {
  const lines = sampleLines(text);
  if (
    shareOf(lines, isTimed) > MAX_TIMED_CODE ||
    shareOf(lines, (line) => PLANNED.test(line)) > MIN_PLANNED
  ) {
    return false;
  }
  if (lines.slice(0, HEAD_LINES).some((line) => CODE_HEAD.test(line))) {
    return true;
  }
  const hasComments = lines.some((line) => COMMENT_EDGE.test(line));
  const isStart = (line: string): boolean => CODE_START.test(line) && (hasComments || !BULLET.test(line));
  const strong = lines.filter(isStart).length;
  const weak = lines.filter((line) => !isStart(line) && CODE_END.test(line)).length;
  return (
    strong + weak >= lines.length * MIN_CODE &&
    strong >= lines.length * MIN_SURE_CODE &&
    // A column of `<none>` reads like tags.
    !areAligned(lines)
  );
}

/** Whether a text looks like a configuration: YAML, TOML, INI, properties or environment variables. */
export function looksLikeConfig(text: string): boolean {
  const lines = sampleLines(text);
  return (
    lines.length >= MIN_CONFIG_LINES &&
    shareOf(lines, isTimed) < MAX_TIMED_CONFIG &&
    shareOf(lines, (line) => CONFIG_LINE.test(line) && !hasManyPairs(line)) > MIN_CONFIG &&
    !repeatOneKey(lines) &&
    !repeatKeys(lines) &&
    !areAligned(lines)
  );
}

/** Whether most keys that are not indented are the same, which a configuration has once: `ok: [web1]`. */
function repeatOneKey(lines: readonly string[]): boolean {
  const keys = lines.flatMap((line) => /^([\w.-]{1,60}): /.exec(line)?.[1] ?? []);
  return haveMostlyOne(keys);
}

/**
 * Whether keys come again and again although nothing stands over them: neither a section nor a parent, nor the sign of
 * a list. Those are records that a program prints, such as the state of each file.
 */
function repeatKeys(lines: readonly string[]): boolean {
  const keys = lines.flatMap(
    (line) => /^[ \t]{0,40}[A-Za-z][\w -]{0,60}?[ \t]{0,20}:(?=[ \t])/.exec(line)?.[0] ?? [],
  );
  const again = keys.length - new Set(keys).size;
  return (
    again >= MIN_MESSAGES &&
    again >= keys.length * MIN_AGAIN &&
    keys.length >= lines.length / 2 &&
    shareOf(lines, (line) => OVER_OTHERS.test(line)) <= MAX_OVER_OTHERS
  );
}

/** Whether a line is a record of a log in pairs: `level=info msg="…" size=3`. */
function hasManyPairs(line: string): boolean {
  return /^[\w.]{1,40}=[^= ]{1,200} {1,4}[\w.]{1,40}=/.test(line);
}

/** Whether a text is prose: sentences in paragraphs, or Markdown. */
export function looksLikeProse(text: string): boolean {
  const lines = sampleLines(text);
  const long = lines.filter((line) => line.length > LONG_LINE);
  const proseLines = lines.filter(isProseLine);
  const sentences = proseLines.length;
  const headings = lines.filter((line) => /^#{1,6} [A-Za-z0-9[`"]/.test(line));
  const items = lines.filter((line) => /^[ ]{0,8}([-*+>]|\d{1,3}[.)]) \S/.test(line)).length;
  const fences = lines.filter((line) => line.startsWith('```')).length;
  // A manual in Markdown may consist of lists and examples, with hardly a sentence.
  const isMarkdown =
    headings.length >= 2 &&
    (fences >= 2 || headings.length + items + fences + sentences >= lines.length * MIN_MARKDOWN) &&
    // What comes again and again heads the records of a log.
    !(items + fences === 0 && areFew(headings.map((line) => templateOf(line))));
  return (
    isMarkdown ||
    (lines.length > 0 &&
      sentences >= lines.length * MIN_SENTENCES &&
      sentences >= long.length * MIN_LONG_SENTENCES &&
      !areMessages(proseLines))
  );
}

/**
 * Whether lines are messages of a program: most begin with the same two words, and have the same words up to their
 * first number or path, or hardly any words of their own, or a few of many come again and again.
 */
function areMessages(lines: readonly string[]): boolean {
  const templates = lines.map((line) => templateOf(line));
  if (!beginAlike(lines)) {
    return areFew(templates);
  }
  return haveMostlyOne(templates.map((template) => template.split(' #')[0])) || repeatWords(templates);
}

/** Whether a few templates come again and again, with other numbers or paths each time. */
function areFew(templates: readonly string[]): boolean {
  const variable = templates.filter((template) => template.includes('#'));
  return (
    templates.length >= MIN_FEW_OF &&
    variable.length >= templates.length * MIN_VARIABLE &&
    new Set(templates).size <= templates.length * MAX_TEMPLATES
  );
}

/** Whether most words of the templates are in most of them. */
function repeatWords(templates: readonly string[]): boolean {
  const rows = templates.map((template) => template.split(' ').filter((word) => word !== '#'));
  const groups = Map.groupBy(
    rows.flatMap((row) => [...new Set(row)]),
    (word) => word,
  );
  const isRepeated = (word: string): boolean => (groups.get(word)?.length ?? 0) > rows.length * MIN_ALIKE;
  return shareOf(rows.flat(), isRepeated) >= MIN_REPEATED;
}

/** Whether most lines begin with the same two words. */
export function beginAlike(lines: readonly string[]): boolean {
  return haveMostlyOne(
    lines.map((line) =>
      line
        .trim()
        .split(/[ \t]{1,40}/, 2)
        .join(' '),
    ),
  );
}

/** Whether one value is most of many. */
function haveMostlyOne(values: readonly (string | undefined)[]): boolean {
  const most = mostFrequent(values);
  const alike = values.filter((value) => value === most).length;
  return values.length >= MIN_MESSAGES && alike > values.length * MIN_ALIKE;
}

function isProseLine(line: string): boolean {
  if (/^#{1,6} /.test(line)) {
    return true;
  }
  const words = line.trim().split(/[ \t]{1,40}/);
  const plain = words.filter((word) =>
    /^["'(*_`]{0,3}[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]{0,30}["'),.;:!?*_`]{0,4}$/.test(word),
  );
  return (
    words.length >= MIN_WORDS &&
    !TESTED.test(line) &&
    plain.length >= words.length * MIN_PLAIN_WORDS &&
    !isTimed(line) &&
    // Sentences have neither columns nor tabs in them.
    !/ [=|] | {3}|\t/.test(line.trim())
  );
}

/** Whether a line begins with a date or a time, as in a log. */
export function isTimed(line: string): boolean {
  return TIME.test(line);
}

/** Share of lines that begin with a time. */
export function timedShare(text: string): number {
  return shareOf(sampleLines(text), isTimed);
}
