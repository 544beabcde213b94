import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { readToolUse } from '../kit/tool-use.js';
import { readKind } from './file-reads.js';
import { pathKind } from './path-kind.js';
import { isProtected } from './protected.js';
import { looksLikeCode, looksLikeConfig, looksLikeProse } from './source-looks.js';

describe('pathKind', () => {
  it.each([
    ...[
      'src/a.ts',
      'Makefile',
      'a.patch',
      'b.diff',
      'README.md',
      'index.html',
      'k8s/app.yaml',
      '.env',
      'go.mod',
    ].map((path) => [path, 'source'] as const),
    ...[
      'package.json',
      'package-lock.json',
      'tsconfig.base.json',
      '.vscode/tasks.json',
      'pom.xml',
      'locale/de.json',
      'src/catalogue.json',
      'test/fixtures/rows.csv',
      'api/__snapshots__/report.json',
      'users.mock.json',
      'users.json',
      'data/rows.json',
      'src/reports/report.xml',
    ].map((path) => [path, 'source'] as const),
    ...['app.log', '/var/log/syslog', 'logs/out.txt', 'C:\\logs\\x.log', 'app.log.3', 'access.log.2.gz'].map(
      (path) => [path, 'log'] as const,
    ),
    ...['users.csv', 'out/rows.json', 'a.jsonl', 'junit.xml', 'packages/a/dist/stats.json'].map(
      (path) => [path, 'data'] as const,
    ),
    ...['output.txt', 'build/result.txt'].map((path) => [path, 'text'] as const),
    ...['requirements.txt', 'CMakeLists.txt'].map((path) => [path, 'source'] as const),
  ])('classifies %s as %s', (path, kind) => {
    expect(pathKind(path)).toBe(kind);
  });
});

describe('readKind', () => {
  const kindOf = (name: string, values: object): string =>
    readKind(readToolUse({ name, arguments: JSON.stringify(values) }));

  it.each([
    ...[
      'read_file',
      'Read',
      'cat',
      'view',
      'open_file',
      'get_file_contents',
      'mcp__filesystem__read_text_file',
      'readFile',
    ],
    ...['fs_read', 'view_source', 'github.get_file_contents'],
  ])('recognises that %s reads a file', (name) => {
    expect(kindOf(name, { path: 'src/a.ts' })).toBe('source');
    expect(kindOf(name, { file_path: 'logs/a.log' })).toBe('log');
  });

  it.each([
    ['grep', { path: 'src/a.ts', pattern: 'x' }],
    ['list_directory', { path: 'src' }],
    ['edit_file', { file_path: 'src/a.ts' }],
    ['git_diff', { path: 'src/a.ts' }],
    ['run_tests', { file: 'src/a.spec.ts' }],
    ['read_url', { url: 'https://a.example/a.ts' }],
    ['get_users', { id: 5 }],
  ])('recognises that %s reads none', (name, values) => {
    expect(kindOf(name, values)).toBe('none');
  });

  it.each(['users.csv', 'db/table.jsonl', 'orders.json'])(
    'treats %s as a source where it is opened',
    (path) => {
      expect(kindOf('Read', { file_path: path })).toBe('source');
      expect(kindOf('Read', { file_path: `exports/${path}` })).toBe('data');
    },
  );

  it('treats a read without a path as a read of source code', () => {
    expect(kindOf('read_file', {})).toBe('source');
    expect(kindOf('read_many_files', { paths: ['a.log', 'b.ts'] })).toBe('source');
    expect(kindOf('read_files', { files: [{ path: 'a.log' }, { path: 'b.log' }] })).toBe('log');
  });

  it.each([
    ['an editor that views', 'str_replace_editor', { command: 'view', path: 'a.ts' }, 'source'],
    ['an editor that writes', 'str_replace_editor', { command: 'create', path: 'a.ts' }, 'none'],
  ])('tells %s', (_name, name, values, kind) => {
    expect(kindOf(name, values)).toBe(kind);
  });

  it.each([
    ...[
      'cat src/a.ts',
      'cd x && cat a.ts',
      "sed -n '1,20p' a.ts",
      'head -n 50 a.ts',
      'tail -5 a.ts',
      'less a.ts',
    ],
    ...[
      'git show HEAD:src/a.ts',
      'git -C x blame src/a.ts',
      'git blame a.ts',
      'bat --style=plain a.ts',
      'nl -ba a.ts',
    ],
    ...[
      'find . -name "*.ts" -exec cat {} \\;',
      'ls *.ts | xargs cat',
      'bash -lc "cat src/a.ts"',
      'sudo cat /etc/passwd',
    ],
    ...[
      'for f in *.ts; do cat "$f"; done',
      'docker exec web cat /app/a.ts',
      'awk 1 a.ts',
      'jq . package.json',
      'cat < a.ts',
    ],
    ...[
      'FOO=1 cat a.ts 2>/dev/null',
      'npm test; cat a.ts',
      'cat a.log b.ts',
      'type src\\a.ts',
      'Get-Content a.ts',
    ],
  ])('recognises that the command %s reads a file', (command) => {
    expect(kindOf('bash', { command })).toBe('source');
  });

  it.each([
    ...[
      'npm test',
      'git diff HEAD~1',
      'git log -p',
      'git show HEAD',
      'grep -rn x src',
      'npm test | tail -50',
      'ps aux | head',
    ],
    ...[
      'cat > a.ts <<EOF\ncat b.ts\nEOF',
      'echo x | cat',
      "docker logs web | sed -n '1,9p'",
      'find . -name "*.ts"',
    ],
  ])('recognises that the command %s reads none', (command) => {
    expect(kindOf('run_terminal_cmd', { command })).toBe('none');
  });

  it.each([
    ['tail -n 100 /var/log/nginx/access.log', 'log'],
    ['cat users.csv', 'data'],
    ['cat out.txt | head -5', 'text'],
  ])('recognises the kind of file that the command %s reads', (command, kind) => {
    expect(kindOf('shell', { command: ['bash', '-lc', command] })).toBe(kind);
  });
});

describe('isProtected', () => {
  const protects = (text: string, name = 'fetch', values: object = {}): boolean =>
    isProtected(text, readToolUse({ name, arguments: JSON.stringify(values) }));

  it.each([
    ['a key', 'some words\n-----BEGIN RSA PRIVATE KEY-----\nMII'],
    ['a public key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@host'],
    ['a mailed patch', `From ${'a'.repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: A`],
    ['a patch for a tool', '*** Begin Patch\n*** Update File: a.ts'],
    ['blame', 'a1b2c3d4 (Ada Lovelace 2024-05-01 10:00:00 +0200  1) const a = 1;\n'.repeat(20)],
    ['blame with files', '^a1b2c3d src/a.ts (Ada 2024-05-01 10:00:00 +0200 12) const a = 1;\n'.repeat(20)],
    [
      'numbered lines',
      range(1, 30)
        .map((number) => `${String(number).padStart(6)}\tcode`)
        .join('\n'),
    ],
    [
      'numbered lines with arrows',
      range(1, 30)
        .map((number) => `    ${number}→code`)
        .join('\n'),
    ],
    [
      'numbered lines with colons',
      range(10, 40)
        .map((number) => `${number}: code`)
        .join('\n'),
    ],
    [
      'numbered lines with bars',
      range(10, 40)
        .map((number) => `${number} | code`)
        .join('\n'),
    ],
    ['an error', `TypeError: x is not a function\n${'    at f (a.js:1:1)\n'.repeat(40)}`],
    ['a traceback', `Traceback (most recent call last):\n${'  File "a.py", line 1\n'.repeat(40)}`],
    ['an error page', '<html><head><title>502 Bad Gateway</title></head></html>'],
    ['an answer that is an error', 'HTTP/1.1 503 Service Unavailable\n\nbusy'],
  ])('protects %s', (_name, text) => {
    expect(protects(text)).toBe(true);
  });

  it.each([
    [
      'times of day',
      range(10, 50)
        .map((second) => `12:00:${second} started`)
        .join('\n'),
    ],
    [
      'a table with numbers first',
      range(1, 30)
        .map((number) => `${number}\ta\tb`)
        .join('\n'),
    ],
    [
      'rows of a database',
      range(1, 30)
        .map((number) => `${number}|a|b|c`)
        .join('\n'),
    ],
    ['a log that begins with an error', `ERROR one\n${'INFO fine, and so on and on\n'.repeat(900)}`],
  ])('does not protect %s', (_name, text) => {
    expect(protects(text)).toBe(false);
  });

  it('protects a data file unless it holds rows', () => {
    const read = (text: string): boolean => protects(text, 'read_file', { path: 'exports/a.json' });
    expect(read('[\n{"id":1}\n]')).toBe(false);
    expect(read('{"id":1}\n{"id":2}')).toBe(false);
    expect(read('{\n"name": "a"\n}')).toBe(true);
    expect(protects('2024-01-01 10:00:00 line\n'.repeat(9), 'read_file', { path: 'out.txt' })).toBe(false);
    expect(protects('a line\n'.repeat(9), 'read_file', { path: 'out.txt' })).toBe(true);
  });
});

describe('looksLikeCode, looksLikeConfig and looksLikeProse', () => {
  const code = `import { a } from './a.js';\n\nexport function f(x) {\n  if (x > 1) {\n    return a(x);\n  }\n}\n`;
  const python = `import os\n\ndef main(path):\n    for name in os.listdir(path):\n        print(name)\n    return 0\n`;
  const yaml = `apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n    - port: 80\n  type: NodePort\n`;
  const ini = `[core]\nbare = false\n# note\n[remote "origin"]\nurl = git@a.example:b.git\nfetch = x\nprune = true\na = b\n`;
  const prose = `# Title\n\nThis is a text for people, written in sentences. It goes on for a while.\n\nAnother paragraph says more.\n`;
  const manual = `# A\n\n## Use\n\n\`\`\`js\n${'npm run a\n'.repeat(9)}\`\`\`\n\n\`\`\`js\n${'npm stop a\n'.repeat(9)}\`\`\`\n`;
  const log = range(1, 30)
    .map((second) => `2024-01-01 10:00:00 INFO call(${second});`)
    .join('\n');
  const output = range(1, 30)
    .map((number) => `Compiling lib${number} v1.0.${number}`)
    .join('\n');

  it.each([
    ['code', looksLikeCode, [code, python]],
    ['configuration', looksLikeConfig, [yaml, ini]],
    ['prose', looksLikeProse, [prose, manual]],
  ])('tells %s from everything else', (_name, looks, own) => {
    const all = [code, python, yaml, ini, prose, manual, log, output];
    expect(all.filter(looks)).toEqual(own);
  });
});
