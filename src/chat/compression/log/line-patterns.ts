import { type PatternTable } from '../kit/pattern-table.js';

/** Lines of test runners about a test that passed. Other programs print check marks as well. */
export const PASSING_LINES: PatternTable = {
  before: /^[ \t]{0,40}/,
  alternatives: [
    ['suite of Jest', /PASS\b/, 'PASS src/a.spec.ts'],
    ['TAP', /ok {1,4}\d/, 'ok 12 - reads numbers'],
    ['package of Go', /ok {0,4}\t/, 'ok  \texample.org/calc\t0.01s'],
    ['test of Go', /--- PASS/, '--- PASS: TestAdd (0.00s)'],
    ['GoogleTest', /\[ {1,8}OK {1,8}\]/, '[       OK ] Calc.Add (0 ms)'],
    ['Rust', /test .{1,300} \.\.\. ok$/, 'test calc::adds ... ok'],
    ['pytest and Gradle', /[^ ]{1,300} (?:> .{1,300} )?PASSED\b|PASSED /, 'test_calc.py::test_add PASSED'],
    ['Bun', /\(pass\) /, '(pass) calc > adds'],
    ['ExUnit', /\* test .{1,300} \(\d[\d.]{0,12}ms\) \[L#/, '  * test adds (0.4ms) [L#12]'],
    ['Bazel', /\/\/[^ ]{1,300} {1,80}(?:\(cached\) )?PASSED in /, '//shop/cart:test   PASSED in 0.3s'],
    [
      'Xcode',
      /Test [Cc]ase .{1,300} passed (?:on|\()/,
      "Test Case '-[CalcTests add]' passed (0.01 seconds).",
    ],
    [
      'CTest',
      /\d{1,6}\/\d{1,6} Test {1,6}#\d{1,6}: .{1,300} Passed /,
      '3/40 Test #3: calc.adds ... Passed 0.01 sec',
    ],
    [
      'class of Surefire',
      /\[INFO\] Tests run: \d{1,6}, Failures: 0, Errors: 0, Skipped: 0, .{1,80} in /,
      '[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in org.example.CalcTest',
    ],
  ],
};

/** Lines of test runners about a test that has begun. */
export const BEGUN_LINES: PatternTable = {
  before: /^[ \t]{0,40}/,
  alternatives: [
    ['test of Go', /=== (?:RUN|PAUSE|CONT)\b/, '=== RUN   TestAdd'],
    ['GoogleTest', /\[ {1,8}RUN {1,8}\]/, '[ RUN      ] Calc.Add'],
  ],
};

/** Lines in which test runners add up. */
export const SUMMARY_LINES: PatternTable = {
  before: /\b/,
  alternatives: [
    ['tests', /\d{1,7} (?:tests?|specs?|examples?|assertions?)\b/, 'OK (30 tests, 60 assertions)'],
    ['results', /\d{1,7} (?:pass(?:ed|ing)?|fail(?:ed|ing)?)\b/, '  30 passing (2s)'],
    ['number behind a label', /(?:tests?|specs?|pass|fail):? {1,20}\d/, 'ℹ pass 30'],
  ],
  flags: 'i',
};

/** Lines with which the report of one failed test begins. */
export const FAILURE_LINES: PatternTable = {
  before: /^[ \t]{0,12}/,
  alternatives: [
    ['bullet or cross', /[●✕✗✖×] /, '  ● parser › reads numbers'],
    ['suite of Jest', /FAIL\b/, 'FAIL src/a.spec.ts'],
    ['Go', /--- FAIL/, '--- FAIL: TestAdd (0.00s)'],
    ['heading of pytest', /={3,80} (?:FAILURES|ERRORS) ={3,80}/, '======= FAILURES ======='],
    ['test of pytest', /_{3,80} .{1,200} _{3,80}$/, '_______ test_add _______'],
    ['Rust', /---- .{1,200} stdout ----/, '---- calc::adds stdout ----'],
    ['numbered failure', /\d{1,4}\) /, '  1) parser reads numbers:'],
    ['TAP', /not ok \d/, 'not ok 12 - reads numbers'],
    ['list of failures', /Failures?:$|failures:$/, 'failures:'],
    ['Bun', /\(fail\) /, '(fail) calc > adds'],
    ['GoogleTest', /\[ {1,4}FAILED {1,4}\]/, '[  FAILED  ] Calc.Add (0 ms)'],
  ],
};

/** Words, and parts of words, of a line that tells of an error. */
export const ALARM_WORDS: readonly string[] = [
  ...['error', 'fail', 'exception', 'panic', 'fatal', 'critical', 'traceback', 'assert', 'npm err'],
  ...['segfault', 'segmentation', 'core dumped', 'killed', 'out of memory', 'oomkill', 'abort', 'crash'],
  ...['unhandled', 'uncaught', 'undefined reference', 'corrupt', 'conflict', 'exit code', 'exit status'],
  ...['exited with', 'denied', 'refused', 'rejected', 'unreachable', 'timed out', 'timeout', 'cannot'],
  ...['could not', "couldn't", 'unable to', 'not found', 'no such', '✗', '✕', '✖', '❌'],
];

/** Words, and parts of words, of a line that tells of something less than an error. */
export const WARNING_WORDS: readonly string[] = [
  ...['warn', 'deprecat', 'vulnerab', 'retry', 'slow', 'skipped', 'invalid', 'missing', 'unexpected'],
  ...['degraded', 'evict', 'throttl', 'backoff', 'unhealthy', '⚠'],
];

/** Places of code that came with a language or from a package. */
export const LIBRARY_PLACES: PatternTable = {
  alternatives: [
    ['package of Node', /node_modules[/\\]/, 'node_modules/jest/a.js'],
    ['package of Python', /site-packages/, '/lib/site-packages/a.py'],
    ['Node itself', /node:internal|internal\/|\(native\)/, 'node:internal/process'],
    ['Java', /java\.base\/|sun\.reflect|org\.junit\.|jdk\.internal/, 'java.base/java.lang.Thread.run'],
    ['Rust', /\/rustc\//, '/rustc/abc/library/core.rs'],
    ['Go', /\/usr\/local\/go\/src\//, '/usr/local/go/src/testing.go'],
  ],
};

/** Parts of names of tools that run or log something. */
export const RUNNER_WORDS: readonly string[] = [
  ...['log', 'test', 'build', 'run', 'exec', 'bash', 'shell', 'terminal', 'command', 'console'],
  ...['output', 'lint', 'install', 'deploy', 'compile', 'job', 'pipeline', 'process'],
];
