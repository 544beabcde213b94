import { describe, expect, it } from '@jest/globals';
import { readToolUse } from '../kit/tool-use.js';
import { readKind } from './file-reads.js';

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

  it('takes each of several commands for a line of its own', () => {
    expect(kindOf('shell', { commands: ['ls', 'cat fixtures/items.json'] })).toBe('source');
    expect(kindOf('shell', { commands: ['cat app.log', "sed -n '1,9p' a.log"] })).toBe('log');
    expect(kindOf('shell', { commands: ['npm', 'test'] })).toBe('none');
  });
});
