/** What a line of a log or of a test run is. */
export type LineKind = 'blank' | 'passing' | 'failure' | 'alarm' | 'warning' | 'plain';

const PASSING =
  /^[ \t]{0,40}(✓ |✔ |√ |PASS\b|ok {1,4}\d|ok {0,4}\t|--- PASS|=== (RUN|PAUSE|CONT)\b|\[ {1,8}(OK|RUN) {1,8}\]|test .{1,300} \.\.\. ok$|[^ ]{1,300} PASSED\b|PASSED |\(pass\) )/;

/** Tests that were passed over, as TAP says of some that it calls `ok`. */
const PASSED_OVER = / # (skip|todo)\b/i;

/** Where the report of one failed test begins, in the forms of the usual runners. */
const FAILURE =
  /^[ \t]{0,12}(● |✕ |✗ |✖ |× |FAIL\b|--- FAIL|={3,80} (FAILURES|ERRORS) ={3,80}|_{3,80} .{1,200} _{3,80}$|---- .{1,200} stdout ----|\d{1,4}\) |not ok \d|Failures?:$|failures:$|\(fail\) |\[ {1,4}FAILED {1,4}\])/;

const ALARM =
  /error|fail|exception|panic|fatal|critical|traceback|assert|segfault|segmentation|core dumped|killed|out of memory|oomkill|abort|unhandled|uncaught|denied|refused|cannot|could not|couldn't|unable to|timed out|timeout|not found|no such|undefined reference|corrupt|✗|✕|✖|❌|exit (code|status)|exited with|npm err|conflict|rejected|unreachable|crash/i;
const WARNING =
  /warn|deprecat|vulnerab|retry|retrying|slow|⚠|skipped|invalid|missing|unexpected|degraded|evict|throttl|backoff|unhealthy/i;

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
    return PASSED_OVER.test(line) ? 'warning' : 'passing';
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

const LIBRARY =
  /node_modules[/\\]|site-packages|node:internal|internal\/|\(native\)|java\.base\/|sun\.reflect|org\.junit\.|jdk\.internal|\/rustc\/|\/usr\/local\/go\/src\//;

/** Frames of Rust's own library, which stand on a line of their own above the place. */
const RUST_FRAME = /^[ \t]{1,8}\d{1,4}: <?(core|std|alloc|test|__rustc|rust_begin|fn\()/;

/** Lines of a stack that come from libraries and tell little. */
export function isLibraryFrame(line: string): boolean {
  const start = line.slice(0, 300);
  return (/^[ \t]{1,20}(at |File "|\/)/.test(start) && LIBRARY.test(start)) || RUST_FRAME.test(start);
}

/** Names of tools that run or log something. */
const RUNNER =
  /log|test|build|run|exec|bash|shell|terminal|command|console|output|lint|install|deploy|compile|job|pipeline|process/;

export function isRunner(toolName: string): boolean {
  return RUNNER.test(toolName);
}
