import { readFileSync } from 'node:fs';
import { call, type CorpusEntry, shell } from './corpus-entry.js';

/** Output of real programs, recorded on this project and a few small ones; paths of the machine are replaced. */
function recorded(file: string): string {
  return readFileSync(new URL(`../recorded/${file}.txt`, import.meta.url), 'utf8');
}

function entry(
  file: string,
  kind: string,
  command: string,
  facts: ((text: string) => readonly string[]) | undefined,
): CorpusEntry {
  const text = recorded(file);
  return { name: `recorded ${file}`, kind, tool: shell(command), text, facts: facts?.(text) };
}

/** Finds all matches of a pattern's first group, or of the pattern if it has none. */
function all(pattern: RegExp): (text: string) => string[] {
  return (text) => [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);
}

function both(...finders: readonly ((text: string) => readonly string[])[]): (text: string) => string[] {
  return (text) => finders.flatMap((find) => find(text));
}

const commits = both(
  all(/^commit ([0-9a-f]{12})/gm),
  all(/^Date: {3}(.+)$/gm),
  all(/^Author: (.+)$/gm),
  all(/^Date:.*\n\n {4}(.+)$/gm),
);

/** Names of files, hunk headers, and changed lines in runs of at most twenty. */
const changes = both(all(/^diff --git (.+)$/gm), all(/^(@@ .+)$/gm), (text) =>
  (text.match(/(?:^[+-](?![+-]{2} ).*\n)+/gm) ?? [])
    .filter((run) => run.split('\n').length <= 21)
    .flatMap((run) => run.split('\n')),
);

const lines =
  (...wanted: readonly string[]): (() => readonly string[]) =>
  () =>
    wanted;

export const recordedResults: readonly CorpusEntry[] = [
  entry('git-log', 'git log', 'git log -80', commits),
  entry(
    'git-log-stat',
    'git log',
    'git log --stat -40',
    both(commits, all(/^ (\S+) +\|/gm), all(/^ (\d+ files? changed.*)$/gm)),
  ),
  entry('git-diff', 'diff', 'git diff HEAD~4', changes),
  entry('git-diff-small', 'diff', 'git diff main', changes),
  entry('git-show', 'diff', 'git show HEAD', changes),
  entry('grep-many', 'search', 'grep -rn readonly src', all(/^([^:\n]+):/gm)),
  entry(
    'grep-few',
    'search',
    'grep -rn Clock src',
    both(all(/^([^:\n]+):/gm), all(/^[^:\n]+:\d+: *(.+)$/gm)),
  ),
  entry(
    'grep-context',
    'search',
    'grep -rn -C 2 StringDecoder src',
    both(all(/^([^:\n]+):\d+:/gm), all(/^[^:\n]+:\d+: *(.+)$/gm)),
  ),
  entry('find-src', 'paths', 'find src -name "*.ts"', both(all(/\/([^/\n]+)$/gm), all(/^(.*\/)[^/\n]+$/gm))),
  entry('find-many', 'paths', 'find node_modules/zod -type f', all(/^(.*\/)[^/\n]+$/gm)),
  entry('ls-recursive', 'listing', 'ls -lR src', both(all(/ (\S+)$/gm), all(/^\S+ +\d+ \S+ +\S+ +(\d+) /gm))),
  entry('ls-large', 'listing', 'ls -la node_modules', all(/ (\S+)$/gm)),
  entry('ps', 'table', 'ps aux', lines('USER', '%CPU', 'COMMAND', 'kworker', 'kthreadd', 'PID')),
  entry('dpkg', 'table', 'dpkg -l', lines('Desired=Unknown', 'adduser', 'Version')),
  entry(
    'npm-view',
    'json',
    'npm view express --json',
    lines(
      '"dist-tags"',
      '"latest"',
      '"license": "MIT"',
      'expressjs/express',
      '"dependencies"',
      '"5.3.0"',
      'TJ Holowaychuk',
    ),
  ),
  entry(
    'npm-ls',
    'paths',
    'npm ls --all',
    lines('chat-completion-gateway@0.1.0', 'UNMET OPTIONAL DEPENDENCY'),
  ),
  entry('jest-verbose', 'test output', 'npm test', all(/^((?:Tests|Test Suites|Time): .+)$/gm)),
  entry(
    'pytest-verbose',
    'test output',
    'pytest -v',
    both(
      all(/^(E {3}.*\S)$/gm),
      all(/^(FAILED .*|ERROR .*)$/gm),
      all(/^(test_calc\.py:\d+: \w+)$/gm),
      lines('2 failed, 121 passed, 1 skipped, 1 error'),
    ),
  ),
  entry(
    'pytest-color',
    'test output',
    'pytest -v --color=yes',
    lines(
      'ZeroDivisionError: division by zero',
      "assert ['alpha', 'beta'] == ['alpha', 'gamma']",
      'RuntimeError: no database',
      '121 passed',
    ),
  ),
  entry(
    'go-test',
    'test output',
    'go test -v ./...',
    lines(
      'case 77: got 154, want 155',
      '--- FAIL: TestTable',
      'case_77',
      'cannot open fixtures/missing.json',
      '--- FAIL: TestMore',
      'calc_test.go:6',
    ),
  ),
  entry(
    'cargo-test',
    'test output',
    'cargo test',
    lines(
      'tests::adds_42 ... FAILED',
      'src/lib.rs:89:20',
      'left: 43',
      'right: 99',
      'index out of bounds: the len is 0 but the index is 3',
      '89 passed; 2 failed',
    ),
  ),
  entry(
    'tsc',
    'diagnostics',
    'npx tsc --noEmit',
    both(all(/^(\S+\(\d+,\d+\)): error/gm), all(/(error TS\d+: .+)$/gm)),
  ),
  entry(
    'eslint',
    'diagnostics',
    'npx eslint .',
    both(all(/^(\/\S+)$/gm), all(/^ +(\d+:\d+) /gm), all(/ {2}([a-z-]+)$/gm)),
  ),
  entry('git-blame', 'protected', 'git blame src/main.ts', undefined),
  entry('mailed-patch', 'protected', 'git format-patch -1 --stdout', undefined),
  {
    ...entry('git-diff', 'protected', '', undefined),
    name: 'a recorded patch that is read',
    tool: call('read_file', { path: 'a.patch' }),
  },
];
