import { anyWord, compilePattern } from '../kit/pattern-table.js';
import {
  ALARM_WORDS,
  FAILURE_LINES,
  LIBRARY_PLACES,
  PASSING_LINES,
  RUNNER_WORDS,
  WARNING_WORDS,
} from './line-patterns.js';

/** What a line of a log or of a test run is. */
export type LineKind = 'blank' | 'passing' | 'failure' | 'alarm' | 'warning' | 'plain';

const PASSING = compilePattern(PASSING_LINES);

/** Tests that were skipped, as TAP says of some that it calls `ok`. */
const SKIPPED = / # (skip|todo)\b/i;

const FAILURE = compilePattern(FAILURE_LINES);
const ALARM = anyWord(ALARM_WORDS, 'i');
const WARNING = anyWord(WARNING_WORDS, 'i');

/** Levels at which the word `error` in the text is no alarm. */
const CALM = /(^|[^a-z])(debug|trace|verbose)($|[^a-z])/i;

const SERVER_FAILURE = /HTTP\/\d(\.\d)?"? 5\d\d |status[=:]"? ?5\d\d\b|\bHTTP 5\d\d\b/i;

/**
 * @param template the line without what varies, so that a path named `errors/` alarms nobody
 */
export function kindOf(line: string, template: string): LineKind {
  if (line.trim() === '') {
    return 'blank';
  }
  if (PASSING.test(line)) {
    return SKIPPED.test(line) ? 'warning' : 'passing';
  }
  if (FAILURE.test(line)) {
    return 'failure';
  }
  const words = template.slice(0, 1000);
  if (ALARM.test(words) && !CALM.test(words.slice(0, 60))) {
    return 'alarm';
  }
  return WARNING.test(words) ? 'warning' : 'plain';
}

/** Whether a line tells of an answer with a status of 500 or more, which its template does not show. */
export function isServerFailure(line: string): boolean {
  return SERVER_FAILURE.test(line.slice(0, 1000));
}

const LOCATION = /\w\.[A-Za-z]{1,5}(:\d{1,7}|\(\d{1,7}|", line \d{1,7})|^[ \t]{0,8}\d{1,7}:\d{1,6} /;

/** Whether a line says where in a source something is wrong, as compilers and linters do. */
export function hasLocation(line: string): boolean {
  return LOCATION.test(line.slice(0, 400));
}

const LIBRARY = compilePattern(LIBRARY_PLACES);

/** Frames of Rust's own library, which stand on a line of their own above the place. */
const RUST_FRAME = /^[ \t]{1,8}\d{1,4}: <?(core|std|alloc|test|__rustc|rust_begin|fn\()/;

/** Lines of a stack that come from libraries and tell little. */
export function isLibraryFrame(line: string): boolean {
  const start = line.slice(0, 300);
  return (/^[ \t]{1,20}(at |File "|\/)/.test(start) && LIBRARY.test(start)) || RUST_FRAME.test(start);
}

const RUNNER = anyWord(RUNNER_WORDS);

/** Whether a tool runs something, or reads a log, by its name. */
export function isRunner(toolName: string): boolean {
  return RUNNER.test(toolName);
}
