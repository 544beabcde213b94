import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
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

  it.each(['/tmp', '/var/tmp', '/private/tmp'])(
    'tells a project within %s from what lies there',
    (folder) => {
      expect(kindOf('Read', { file_path: `${folder}/shop/prices.csv` })).toBe('source');
      expect(kindOf('bash', { command: `cat ${folder}/shop/prices.json` })).toBe('source');
      expect(kindOf('Read', { file_path: `${folder}/shop/dist/prices.csv` })).toBe('data');
      expect(kindOf('Read', { file_path: `${folder}/prices.csv` })).toBe('data');
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
    ['notes that are read', 'scratchpad', { action: 'read', path: 'notes.csv' }, 'source'],
    ['notes that are written', 'scratchpad', { action: 'write', path: 'notes.csv', content: 'x' }, 'none'],
    ['files that are read', 'workspace', { operation: 'read', file_path: 'a.json' }, 'source'],
    ['another action', 'browser', { action: 'open', url: 'https://a.example/' }, 'none'],
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
      "perl -ne 'print' a.ts",
      'jq -e . package.json',
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
    ...[
      'hg cat -r 5 a.ts',
      'hg -R repo cat a.ts',
      'p4 -c me -p host:1666 print a.ts',
      'svn cat a.ts',
      'p4 print -q a.ts',
      'xmllint --format a.html',
      'view a.ts',
      'fmt a.md',
    ],
  ])('recognises that the command %s reads a file', (command) => {
    expect(kindOf('bash', { command })).toBe('source');
  });

  it.each([
    ...[
      'npm test',
      'git diff HEAD~1',
      'git log -p',
      'hg log cat a.ts',
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
      "perl -MConfig -e 'print Config::config_sh()'",
    ],
  ])('recognises that the command %s reads none', (command) => {
    expect(kindOf('run_terminal_cmd', { command })).toBe('none');
  });

  it.each([
    ['tail -n 100 /var/log/nginx/access.log', 'log'],
    ['tail -c 9000 pg/log', 'log'],
    ['cat build_log', 'log'],
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

  it.each([
    ['through another machine', "ssh host 'cat fixtures/items.json'"],
    ['as another user', 'su app -c "cat fixtures/items.json"'],
    ['through a device bridge', 'adb shell cat /sdcard/items.json'],
    ['in the environment of a project', 'poetry run cat fixtures/items.json'],
    ['in a container through a shell', "docker exec web sh -c 'cat fixtures/items.json'"],
    ['under a time limit', 'timeout 5 bash -lc "cat fixtures/items.json"'],
    ['by evaluation', 'eval "cat fixtures/items.json"'],
    ['by substitution', 'echo "$(cat fixtures/items.json)"'],
    ['by substitution into a variable', 'X="$(cat fixtures/items.json)"; echo "$X"'],
    ['by substitution of a redirection', 'echo "$(<fixtures/items.json)"'],
    ['in a group', '{ cat fixtures/items.json; }'],
    ['line by line', 'while read l; do echo "$l"; done < fixtures/items.json'],
    ['through a filter', 'tr -d "\\r" < fixtures/items.json'],
    ['sorted', 'sort fixtures/names.csv'],
    ['by a pattern that any line matches', 'grep "" fixtures/items.json'],
    ['by a pattern that any line matches, with numbers', 'rg -n "^" data/items.json'],
    ['without its comments', "grep -v '^#' fixtures/names.csv"],
    ['in blocks', 'dd if=fixtures/items.json 2>/dev/null'],
    ['laid out', 'python3 -m json.tool fixtures/items.json'],
    ['for each that is found', 'fd . fixtures -x cat'],
    ['for each name', 'ls fixtures | xargs -I{} cat {}'],
    ['for each name in a shell', "ls fixtures | xargs -I{} sh -c 'cat {}'"],
    ['in Python', `python3 -c "print(open('fixtures/items.json').read())"`],
    ['in Python, quoted', 'python3 -c "print(open(\\"fixtures/items.json\\").read())"'],
    ['in Python from a here-document', "python3 - <<'E'\nprint(open('fixtures/items.json').read())\nE"],
    ['in Node', `node -p "require('fs').readFileSync('fixtures/items.json', 'utf8')"`],
    ['in Ruby', `ruby -e 'puts File.read("fixtures/items.json")'`],
  ])('recognises that a command reads a file %s', (_way, command) => {
    expect(kindOf('bash', { command })).toBe('source');
  });

  it.each([
    ['in Python', "print(open('fixtures/items.json').read())"],
    ['in Python by its path', "print(Path('fixtures/items.json').read_text())"],
    ['in PHP', "echo file_get_contents('fixtures/items.json');"],
    ['by a line for the shell', 'import os\n!cat fixtures/items.json'],
  ])('recognises that code reads a file %s', (_way, code) => {
    expect(kindOf('execute', { code })).toBe('source');
  });

  it.each([
    ['in a call', 'const r = await tools.exec_command({cmd: "cat fixtures/items.json"}); text(r.output)'],
    ['with quotes', String.raw`text(await tools.exec_command({ "cmd": "sed -n '1,9p' \"a b.ts\"" }))`],
    ['by a variable', 'const cmd = `cat fixtures/items.json`; text(await tools.exec_command({ cmd }))'],
    ['for each', 'for (const f of files) text(await tools.exec_command({ cmd: `cat ${f}` }))'],
  ])('recognises that a program for tools reads a file %s', (_way, input) => {
    expect(kindOf('functions__exec', { input })).toBe('source');
  });

  it.each([
    [
      'by its path',
      'return await tools.file_system.read_file({ path: "items.json", limit: 300 });',
      'source',
    ],
    [
      'by its path behind others',
      "text(await tools.mcp__fs__read_file({ head: 9, path: 'items.json' }))",
      'source',
    ],
    [
      'by a variable',
      'for (const path of paths) out.push(await tools.file_system.read_file({ path }));',
      'source',
    ],
    ['that is a log', 'return await tools.fs.read({ "path": "app.log" });', 'log'],
    [
      'beside a command',
      'a = tools.fs.read({ path: "a.log" }); b = tools.bash({ command: "cat b.ts" })',
      'source',
    ],
  ])('recognises that a program has a tool read a file %s', (_which, code, kind) => {
    expect(kindOf('run_typescript', { code })).toBe(kind);
  });

  it.each([
    'await tools.file_system.list_directory({ path: "src" });',
    'await tools.file_system.write_file({ path: "a.ts", content: "let a;" });',
    'await tools.process.output({ id: "p1" });',
  ])('recognises that the program %s has no tool read a file', (code) => {
    expect(kindOf('run_typescript', { code })).toBe('none');
  });

  it.each([
    ['runs a script', "text(await tools.exec_command({ cmd: 'bash run.sh' }))"],
    ['writes a file', 'await tools.exec_command({ cmd: "cat > a.ts <<EOF\\nlet a;\\nEOF" })'],
    ['calls no tool', "*** Begin Patch\n+run('cat a.ts');\n*** End Patch"],
  ])('recognises that free input that %s reads none', (_what, input) => {
    expect(kindOf('functions__exec', { input })).toBe('none');
  });

  it.each([
    ['writes a file in Python', `python3 -c "open('a.json', 'w').write('x')"`],
    ['opens a page', `node -e "browser.open('https://a.example/b.ts')"`],
    ['reads a log in Python', `python3 -c "print(open('logs/a.log').read())"`],
    ['reads what another wrote', 'while read l; do echo "$l"; done < <(git log)'],
    ['counts in a loop', 'for (( i = 0; i < 10; i++ )); do ./run; done'],
    ['hands a script to a database', 'docker exec -i db psql shop < query.sql'],
    ['lists the files with a match', 'rg -l . src'],
    ['searches a file', 'grep -n total fixtures/items.json'],
    ['names a reader in a message', 'git commit -m "cat a.ts"'],
    ['names a reader as a pattern', "ssh host 'grep -rn cat src'"],
  ])('recognises that a call that %s reads no source', (_what, command) => {
    expect(['none', 'log']).toContain(kindOf('bash', { command }));
  });

  it('reads a long command once for each program that it may be wrapped in', async () => {
    const words = Array.from({ length: 4500 }, (_, at) => (at + 1296).toString(36));
    const command = `sudo ${'cat '.repeat(60)}${words.join(' ')}`;
    await cpuPace.expectOnceWithin(() => cpuMs(() => kindOf('bash', { command })), 800);
  });

  it('takes a number behind an option for its value, wherever else that number stands', () => {
    expect(kindOf('bash', { command: 'head -n 5 a.log' })).toBe('log');
    expect(kindOf('bash', { command: 'head a.log -n 5' })).toBe('log');
  });

  it('takes a separator of columns for no file', () => {
    expect(kindOf('bash', { command: "cut -d ' ' -f 1 access.log" })).toBe('log');
    expect(kindOf('bash', { command: 'cat logs/{a,b}.log' })).toBe('log');
  });
});
