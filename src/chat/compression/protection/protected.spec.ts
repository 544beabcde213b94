import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { readToolUse } from '../kit/tool-use.js';
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

describe('isProtected', () => {
  const protects = (text: string, name = 'fetch', values: object = {}): boolean =>
    isProtected(text, readToolUse({ name, arguments: JSON.stringify(values) }));

  it('tells rows with counted first cells from the lines of a numbered file', () => {
    const row = (at: number): string =>
      `${String(at).padStart(6)}: 00000000000${16180 + at * 16}    49 FUNC    ${at % 9 === 0 ? 'WEAK  ' : 'GLOBAL'} DEFAULT   17 fun${at}`;
    const table = ['   Num:    Value   Size Type Bind Vis Ndx Name', ...range(0, 90).map(row)].join('\n');
    expect(protects(table)).toBe(false);
    expect(looksLikeConfig(table)).toBe(false);
    const lines = ['let total = 0;', 'for (const each of all) {', '  total += each;', '}', 'return total;'];
    expect(
      protects(
        range(1, 90)
          .map((at) => `${at}: ${lines[at % 5]}`)
          .join('\n'),
      ),
    ).toBe(true);
  });

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
    [
      'the outline of a page',
      `- Page Title: Items\n${range(1, 30)
        .map((number) => `  - row "Item ${number}" [ref=e${number}]:\n    - cell "new"`)
        .join('\n')}`,
    ],
    [
      'the outline of a page by uids',
      range(1, 30)
        .map((number) => `  uid=1_${number} link "Item ${number}"`)
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
    ['a log of users by uid', 'sudo: session opened for root by uid=1000 \n'.repeat(30)],
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

  it('takes lines of few keys that come again for no configuration', () => {
    const task = (number: number): string[] => [
      `TASK [web : step ${number}] ***`,
      ...['ok: [web1]', 'ok: [web2]', `changed: [web${number}]`, 'ok: [web4]', ''],
    ];
    expect(looksLikeConfig(range(1, 12).flatMap(task).join('\n'))).toBe(false);
    expect(
      looksLikeConfig(
        range(1, 30)
          .map((number) => `- name: a${number}\n  port: 80`)
          .join('\n'),
      ),
    ).toBe(true);
  });

  it('takes neither arrows for assignments nor addresses of instructions for keys', () => {
    const libraries = range(1, 30).map(
      (number) => `\tlib${number}.so.6 => /lib/lib${number}.so.6 (0x00007f)`,
    );
    expect(looksLikeConfig(libraries.join('\n'))).toBe(false);
    const instructions = range(16, 45).map(
      (at) => `    40${at}:\tff 25 8a 6f 00 00    \tjmp    *0x${at}(%rip)`,
    );
    expect(looksLikeConfig(instructions.join('\n'))).toBe(false);
  });

  it('takes the package in front of lines of a build for no annotation', () => {
    const lines = (name: string): string =>
      range(1, 30)
        .map((number) => `${name} compiling part ${number} (`)
        .join('\n');
    expect(looksLikeCode(lines('@shop/cart:build:'))).toBe(false);
    expect(looksLikeCode(lines('@Injectable'))).toBe(true);
  });

  it('takes targets of Bazel for no comments', () => {
    const lines = range(1, 30).map((number) => `//shop/cart:test_${number}   PASSED in ${number}s`);
    expect(looksLikeCode(lines.join('\n'))).toBe(false);
    expect(looksLikeCode(lines.map((line) => line.replace('//', '//let ')).join('\n'))).toBe(true);
  });

  it('takes headings that come again and again for a log', () => {
    const record = (at: number): string =>
      `# Time: 10:0${at}\n# Query_time: ${at}.5  Rows: ${at}\nSELECT ${at};`;
    expect(looksLikeProse(range(1, 90).map(record).join('\n'))).toBe(false);
    const chapter = (at: number): string => `## 1.${at}.0\n- Part ${at}`;
    expect(looksLikeProse(range(1, 150).map(chapter).join('\n'))).toBe(true);
  });

  it('takes rows in aligned columns for no file with line numbers, and for no settings', () => {
    const row = (at: number): string =>
      `${`${at}:`.padStart(6)} 0000${1000 + at * 7} ${`${at * 3}`.padStart(5)} FUNC    GLOBAL  DEFAULT ${at % 4 ? ' 13' : 'UND'} call${at}${at % 4 ? '' : ' (2)'}`;
    const symbols = range(1, 60).map(row).join('\n');
    expect(
      isProtected(symbols, readToolUse({ name: 'bash', arguments: '{"command":"readelf -s lib.so"}' })),
    ).toBe(false);
    expect(looksLikeConfig(symbols)).toBe(false);
  });

  it('takes sentences that begin alike for output', () => {
    const lines = (begin: (number: number) => string): string =>
      range(1, 30)
        .map((number) => `${begin(number)} is already there and will be used by all the others.`)
        .join('\n');
    expect(looksLikeProse(lines((number) => `The file of house ${number}`))).toBe(false);
    expect(looksLikeProse(lines((number) => `${'The A My Our Your Each'.split(' ')[number % 6]} file`))).toBe(
      true,
    );
  });

  const names = 'basket invoice voucher parcel address article stock'.split(' ');
  const reasons = [
    ...['unless the account is locked', 'after the second reminder', 'before the nightly run'],
    ...['only with consent of a manager', 'as long as the contract lasts', 'when a warehouse confirms'],
  ];
  const name = (number: number): string => names[number % 7] ?? '';
  const reason = (number: number): string => reasons[number % 5] ?? '';

  it.each([
    ['pip', (at: number) => `Requirement already satisfied: ${name(at)} in ./lib/a (from ${name(at * 3)})`],
    [
      'npm',
      (at: number) => `npm warn deprecated ${name(at)}@1.${at}: Use ${name(at * 3)} instead ${reason(at)}`,
    ],
  ])('takes messages of %s for output', (_name, line) => {
    expect(looksLikeProse(range(1, 60).map(line).join('\n'))).toBe(false);
  });

  it('takes requirements of one pattern for prose', () => {
    const wishes = ['search orders by number', 'cancel a delivery early', 'download all invoices'];
    const line = (at: number): string =>
      `The system shall let a ${name(at)} ${wishes[at % 3]} within ${(at * at) % 41} seconds.`;
    expect(looksLikeProse(range(1, 90).map(line).join('\n'))).toBe(true);
  });

  it('takes requirements that begin alike for prose', () => {
    const line = (at: number): string =>
      `The system must ${'open close merge split'.split(' ')[at % 4]} the ${name(at)} of a ${name(at * 3)} ${reason(at)}`;
    expect(looksLikeProse(range(1, 60).map(line).join('\n'))).toBe(true);
    expect(
      looksLikeProse(
        range(1, 60)
          .map((at) => `${line(at)}, within ${at} seconds.`)
          .join('\n'),
      ),
    ).toBe(true);
  });

  it('takes records with the same keys for output, unless something stands over the keys', () => {
    const record = (at: number): string => ` Name: ${name(at)}\n Size: ${at * 37}\n Owner: ada\n Mode: 0644`;
    const records = range(1, 40).map(record);
    expect(looksLikeConfig(records.join('\n'))).toBe(false);
    const services = range(1, 40).map(
      (at) => `svc${at}:\n  image: shop/${name(at)}\n  size: ${at}\n  mode: x`,
    );
    expect(looksLikeConfig(services.join('\n'))).toBe(true);
    const sections = range(1, 40).map((at) => `[svc${at}]\n${record(at)}`);
    expect(looksLikeConfig(sections.join('\n'))).toBe(true);
    const items = range(1, 40).map((at) => `- name: ${name(at)}\n  size: ${at}\n  mode: x`);
    expect(looksLikeConfig(items.join('\n'))).toBe(true);
  });

  it('takes a star for a bullet where no comment is opened', () => {
    const steps = range(1, 40)
      .map((at) => `  * check ${name(at)} (${at}ms),`)
      .join('\n');
    expect(looksLikeCode(steps)).toBe(false);
    expect(looksLikeCode(`/**\n${steps}\n */`)).toBe(true);
  });

  it('takes a plan of changes for output', () => {
    const block = (at: number): string =>
      [
        `  # shop_queue.${name(at)}${at} will be updated in-place`,
        `  ~ resource "shop_queue" "${name(at)}${at}" {`,
        `      ~ size = 1 -> ${at}`,
        '    }',
        '',
      ].join('\n');
    const plan = range(1, 40).map(block).join('\n');
    expect(looksLikeCode(plan)).toBe(false);
    expect(looksLikeCode(plan.replaceAll('~ ', ''))).toBe(true);
  });

  it.each([
    ['code', looksLikeCode, [code, python]],
    ['configuration', looksLikeConfig, [yaml, ini]],
    ['prose', looksLikeProse, [prose, manual]],
  ])('tells %s from everything else', (_name, looks, own) => {
    const all = [code, python, yaml, ini, prose, manual, log, output];
    expect(all.filter(looks)).toEqual(own);
  });

  it('takes a few sentences about many paths, and names of tests, for output', () => {
    const starts = ['File', 'Directory', 'Loading module', 'Found'];
    const traced = range(1, 160).map(
      (at) => `${starts[at % 4]} '/src/part${at}.ts' does not exist according to earlier lookups.`,
    );
    expect(looksLikeProse(traced.join('\n'))).toBe(false);
    const tests = range(1, 40).map((at) => `${name(at)} is kept ${reason(at)} by the shop`);
    expect(looksLikeProse(tests.map((test) => `    ✓ ${test} (1 ms)`).join('\n'))).toBe(false);
    expect(looksLikeProse(tests.map((test) => `${test}.`).join('\n'))).toBe(true);
  });
});
