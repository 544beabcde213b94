import { readFileSync } from 'node:fs';
import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

const make = new Maker(101);

/** Lines of a log, which would shrink most if a protected result contained them. */
const LOG = make.list(120, (index) => `2025-03-10 08:00:00 INFO step ${index} done`).join('\n');

const ROWS = JSON.stringify(
  make.list(60, (index) => ({ id: index, state: 'ok' })),
  undefined,
  2,
);

const TYPESCRIPT = make
  .list(
    80,
    (index) =>
      `export function load${index}(id: string): Promise<Item> {\n  return this.client.get(\`/items/\${id}\`, { retries: ${index} });\n}\n`,
  )
  .join('\n');

const PYTHON = make
  .list(
    60,
    (index) =>
      `def step_${index}(self, value):\n    if value > ${index}:\n        raise ValueError("too large")\n    return self.items[value]\n`,
  )
  .join('\n');

const YAML = make
  .list(60, (index) => `  - name: worker-${index}\n    image: app:1.0\n    replicas: 2`)
  .join('\n');

const PROSE = make.list(40, () => `${make.words(18)}. ${make.words(15)}.`).join('\n\n');

const DIFF = make
  .list(
    20,
    (index) =>
      `diff --git a/f${index} b/f${index}\n--- a/f${index}\n+++ b/f${index}\n@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+e\n f\n g\n h`,
  )
  .join('\n');

const OWN_SOURCE = [
  'package-lock.json',
  'src/chat/chat.service.ts',
  'eslint.config.mjs',
  'README.md',
] as const;

function own(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

function entry(name: string, tool: CorpusEntry['tool'], text: string): CorpusEntry {
  return { name, kind: 'protected', tool, text, facts: undefined };
}

export const protectedResults: readonly CorpusEntry[] = [
  ...OWN_SOURCE.map((path) => entry(path, call('read_file', { path }), own(path))),
  entry('source by a command', shell('cat src/gateway.ts'), LOG),
  entry('part of a source', shell("sed -n '1,200p' lib/steps.py"), PYTHON),
  entry('a file of a commit', shell('git show HEAD~3:src/a.ts'), TYPESCRIPT),
  entry('source from an unknown tool', call('workspace_peek', {}), TYPESCRIPT),
  entry('Python from an unknown tool', call('workspace_peek', {}), PYTHON),
  entry(
    'a page as source',
    call('read_file', { path: 'web/index.html' }),
    `<!doctype html>\n<html>${'<div class="a"><p>text</p></div>\n'.repeat(80)}</html>`,
  ),
  entry(
    'numbered lines',
    call('peek', {}),
    TYPESCRIPT.split('\n')
      .map((line, index) => `${String(index + 1).padStart(5)}→${line}`)
      .join('\n'),
  ),
  entry(
    'numbered lines of a log',
    call('peek', {}),
    LOG.split('\n')
      .map((line, index) => `${index + 1}: ${line}`)
      .join('\n'),
  ),
  entry('a configuration', call('read_file', { path: 'deploy/values.yaml' }), YAML),
  entry('a configuration from an unknown tool', call('peek', {}), YAML),
  entry('rows that are a configuration', call('read_file', { path: 'src/config/routes.json' }), ROWS),
  entry('a fixture', call('read_file', { path: 'test/fixtures/orders.json' }), ROWS),
  entry('a fixture by a command', shell('cat spec/users.spec.json'), ROWS),
  entry('a fixture by a list of commands', call('shell', { commands: ['cat fixtures/users.json'] }), ROWS),
  entry('a fixture on another machine', shell("ssh web 'cat fixtures/users.json'"), ROWS),
  entry('a fixture by a substitution', shell('echo "$(cat fixtures/users.json)"'), ROWS),
  entry('a fixture by a search for any line', shell('rg "" fixtures/users.json'), ROWS),
  entry('a fixture by a program', shell(`python3 -c "print(open('fixtures/users.json').read())"`), ROWS),
  entry('a fixture by code', call('run_code', { code: "print(open('fixtures/users.json').read())" }), ROWS),
  entry(
    'the outline of a page from a tool that runs code',
    call('browser_run_code', {}),
    make
      .list(60, (index) => `- row "Order ${index}" [ref=e${index}0]:\n  - button "Open" [ref=e${index}1]`)
      .join('\n'),
  ),
  entry('rows of a file that may be edited', call('read_file', { path: 'src/catalogue.json' }), ROWS),
  entry('rows that are opened', call('Read', { file_path: '/w/data/users.json' }), ROWS),
  entry(
    'rows by an editor',
    call('str_replace_based_edit_tool', { command: 'view', path: 'orders.json' }),
    ROWS,
  ),
  entry('a manifest', call('get_file_contents', { path: 'web/package.json' }), ROWS),
  entry(
    'a build file',
    call('read_file', { path: 'pom.xml' }),
    `<project>\n${'<dependency><groupId>a</groupId></dependency>\n'.repeat(60)}</project>`,
  ),
  entry(
    'a build file from an unknown tool',
    call('peek', {}),
    `<project>\n${'<dependency><groupId>a</groupId></dependency>\n'.repeat(60)}</project>`,
  ),
  entry('a patch that is read', call('read_file', { path: 'fixes/0001.patch' }), DIFF),
  entry('a patch by a command', shell('cat fix.diff'), DIFF),
  entry(
    'a mailed patch',
    shell('git format-patch -1 --stdout'),
    `From ${'a1'.repeat(20)} Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n${DIFF}`,
  ),
  entry(
    'blame',
    shell('git blame src/a.ts'),
    make
      .list(
        60,
        (index) =>
          `a1b2c3d4 (Ada 2025-03-10 08:00:00 +0000 ${String(index + 1).padStart(3)})   return ${index};`,
      )
      .join('\n'),
  ),
  entry(
    'blame from an unknown tool',
    call('annotate_lines', {}),
    make
      .list(
        60,
        (index) => `^a1b2c3d (Ada 2025-03-10 08:00:00 +0000 ${String(index + 1).padStart(3)}) x = ${index}`,
      )
      .join('\n'),
  ),
  entry(
    'eleven rows',
    call('query', {}),
    JSON.stringify(
      make.list(11, (index) => ({ id: index, text: make.words(30) })),
      undefined,
      2,
    ),
  ),
  entry(
    'an error as JSON',
    call('http_get', {}),
    JSON.stringify(
      {
        error: {
          code: 'invalid',
          details: make.list(40, (index) => ({ field: `f${index}`, problem: make.words(6) })),
        },
      },
      undefined,
      2,
    ),
  ),
  entry(
    'a problem as JSON',
    call('http_get', {}),
    JSON.stringify({ type: 'about:blank', title: 'Bad gateway', status: 502, detail: make.words(300) }),
  ),
  entry(
    'an error as text',
    shell('node app.js'),
    `TypeError: Cannot read properties of undefined (reading 'id')\n${make.list(40, (index) => `    at step${index} (src/a.js:${index}:1)`).join('\n')}`,
  ),
  entry(
    'an error page',
    call('fetch', {}),
    `<html><head><title>504 Gateway Time-out</title></head><body>${'<p>nginx</p>'.repeat(200)}</body></html>`,
  ),
  entry('prose', call('read_page', {}), PROSE),
  entry(
    'prose behind headings',
    call('wiki', {}),
    make.list(20, () => `## ${make.words(3)}\n\n${make.words(60)}.`).join('\n\n'),
  ),
  entry(
    'a private key',
    shell('vault read key'),
    `-----BEGIN RSA PRIVATE KEY-----\n${make.list(40, () => make.hex(64)).join('\n')}\n-----END RSA PRIVATE KEY-----`,
  ),
  entry(
    'a chain of certificates',
    call('get_certificates', {}),
    `-----BEGIN CERTIFICATE-----\n${make.list(30, () => make.hex(64)).join('\n')}\n-----END CERTIFICATE-----\n`.repeat(
      3,
    ),
  ),
  entry(
    'public keys',
    shell('curl https://host.example/ada.keys'),
    make.list(12, () => `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${make.hex(300)} ada@host`).join('\n'),
  ),
  entry(
    'source with a picture in it',
    call('workspace_peek', {}),
    `${TYPESCRIPT}\nconst icon = 'data:image/png;base64,${Buffer.from(make.list(3000, () => make.number(0, 255))).toString('base64')}';\n`,
  ),
  entry(
    'a patch from an unknown tool',
    call('attachment', { id: 3 }),
    `Closes sockets once.\n\n${DIFF.replaceAll(/^diff --git.*\n/gm, '')}`,
  ),
  entry(
    'bodies of symbols as JSON',
    call('find_symbol', { name_path: 'Shelf', include_body: true }),
    JSON.stringify(
      make.list(20, (index) => ({
        name_path: `Shelf/${make.word()}`,
        body_location: { start_line: index * 20 },
        body: TYPESCRIPT.slice(index * 200, index * 200 + 900),
      })),
    ),
  ),
  entry('a short result', shell('ls'), 'a.ts\n'.repeat(200)),
];
