import { anyWord, compilePattern } from '../kit/pattern-table.js';
import {
  ALARM_WORDS,
  BEGUN_LINES,
  FAILURE_LINES,
  LIBRARY_PLACES,
  PASSING_LINES,
  RUNNER_WORDS,
  SUMMARY_LINES,
  WARNING_WORDS,
} from './line-patterns.js';

/** Kind of a line in a log or a test run; decides how many of them are kept. */
export type LineKind = 'blank' | 'begun' | 'passing' | 'failure' | 'alarm' | 'warning' | 'plain' | 'library';

const BEGUN = compilePattern(BEGUN_LINES);
const PASSING = compilePattern(PASSING_LINES);
const CHECKED = /^[ \t]{0,40}[✓✔√] /;
const SUMMARY = compilePattern(SUMMARY_LINES);

/** Tests that TAP calls `ok` although they were skipped or are known to fail. */
const SKIPPED = / # (skip|todo)\b/i;

const FAILURE = compilePattern(FAILURE_LINES);
const ALARM = anyWord(ALARM_WORDS, 'i');
const WARNING = anyWord(WARNING_WORDS, 'i');

/** Levels of logging at which words such as `error` and `retry` in a message alarm nobody. */
const CALM = /(^|[^a-z])(debug|trace|verbose)($|[^a-z=_-])/i;

/** Other levels of logging in a template. Beside one of them, `trace` is the name of an id. */
const UNCALM = /\b(?:ERROR|WARN|WARNING|FATAL|CRITICAL)\b|\b[Ll]evel (?:: )?(?:error|warn|fatal|critical)/;

/** What may be counted of failures, and the same with a count of zero: `Failures: 0`, `errors=0`, `0 failed`. */
const COUNTED = '(?:failures?|failed|errors?|warnings?|timeouts?|crashes|rejected|aborted|skipped)';
const NONE_OF_THEM = new RegExp(`\\b${COUNTED}(?:: ?|=)0\\b(?!\\.)|(?<![\\d.:])\\b0 ${COUNTED}\\b`, 'gi');

const SERVER_FAILURE = /HTTP\/\d(\.\d)?"? 5\d\d |status[=:]"? ?5\d\d\b|\bHTTP 5\d\d\b/i;

/** Whether check marks stand for passed tests: a test runner prints other lines as well. */
export function marksTests(lines: readonly string[]): boolean {
  return (
    lines.some((line) => CHECKED.test(line)) &&
    lines.some((line) => [PASSING, FAILURE, SUMMARY].some((pattern) => pattern.test(line.slice(0, 400))))
  );
}

/**
 * The kind of a line, by its form or by the words in it.
 * @param template the line without its variable words, so that a path named `errors/` alarms nobody
 * @param isReport whether check marks stand for passed tests
 */
export function kindOf(line: string, template: string, isReport: boolean): LineKind {
  if (line.trim() === '') {
    return 'blank';
  }
  if (BEGUN.test(line)) {
    return 'begun';
  }
  if (PASSING.test(line) || (isReport && CHECKED.test(line))) {
    return SKIPPED.test(line) ? 'warning' : 'passing';
  }
  if (FAILURE.test(line)) {
    return 'failure';
  }
  const words = template.slice(0, 1000);
  const start = words.slice(0, 60);
  // In the template, the sign behind a name such as `trace=` is a blank.
  if (CALM.test(start) && CALM.test(line.slice(0, 400)) && !UNCALM.test(start)) {
    return 'plain';
  }
  if (ALARM.test(words)) {
    return 'alarm';
  }
  return WARNING.test(words) ? 'warning' : 'plain';
}

/** Whether a line reports a response with status 500 or above. Its template does not show the status. */
export function isServerFailure(line: string): boolean {
  return SERVER_FAILURE.test(line.slice(0, 1000));
}

/** A line without the failures that it says there were none of; the line itself if it says so of none. */
export function withoutZeroes(line: string): string {
  return line.slice(0, 1000).includes('0') ? line.slice(0, 1000).replace(NONE_OF_THEM, '') : line;
}

const LOCATION = /\w\.[A-Za-z]{1,5}(:\d{1,7}|\(\d{1,7}|", line \d{1,7})|^[ \t]{0,8}\d{1,7}:\d{1,6} /;

/** Whether a line names a place in a source file, as compilers and linters do. */
export function hasLocation(line: string): boolean {
  return LOCATION.test(line.slice(0, 400));
}

/** A place in a source file with which the line of a linter begins: `app/a.rb:12:5: C: …`. */
const PLACE =
  /^[ \t]{0,8}((?:[A-Za-z]:[\\/])?[^\s:()]{1,300}\.\w{1,10}(?::\d{1,7}(?::\d{1,6})?|\(\d{1,7},\d{1,6}\))):? /;

/** The same at the end of a line that names it: `Location: app/a.rb:12:5`. */
const PLACE_BEHIND = /: {1,4}([^\s:()]{1,300}\.\w{1,10}:\d{1,7}(?::\d{1,6})?)$/;

/** Lines up to which their places are listed, and the share of different ones. */
const MAX_PLACES = 300;
const MIN_DIFFERENT = 0.5;

/** The places in source files with which all lines begin or end; undefined if they do not, and if most have the same. */
export function placesIn(lines: readonly number[], textOf: (line: number) => string): string[] | undefined {
  const places = lines.flatMap((line) => {
    const text = textOf(line);
    return PLACE.exec(text.slice(0, 400))?.[1] ?? PLACE_BEHIND.exec(text.slice(-340))?.[1] ?? [];
  });
  const different = new Set(places).size;
  return places.length === lines.length &&
    lines.length <= MAX_PLACES &&
    different >= lines.length * MIN_DIFFERENT
    ? places
    : undefined;
}

const LIBRARY = compilePattern(LIBRARY_PLACES);

/** Frames of Rust's own library; their places stand on the lines below them. */
const RUST_FRAME = /^[ \t]{1,8}\d{1,4}: <?(core|std|alloc|test|__rustc|rust_begin|fn\()/;

/** Whether a line is a stack frame within a library, which says little about the error. */
export function isLibraryFrame(line: string): boolean {
  const start = line.slice(0, 300);
  return (/^[ \t]{1,20}(at |File "|\/)/.test(start) && LIBRARY.test(start)) || RUST_FRAME.test(start);
}

const RUNNER = anyWord(RUNNER_WORDS);

/** Whether a tool runs something, or reads a log, by its name. */
export function isRunner(toolName: string): boolean {
  return RUNNER.test(toolName);
}
