import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** What common programs print, in forms that resemble something else: settings, comments, prose, a table. */
export const programResults: readonly CorpusEntry[] = [
  storedTree(),
  changedLines(),
  targets(),
  playbook(),
  scannedHosts(),
  compiledObjects(),
  vetted(),
  packages(),
  partialAnswer(),
  installation(),
];

/** Paths like `cart/home12.ts`. */
function paths(make: Maker, count: number, ending: string): string[] {
  return make.list(count, (index) => `${make.word()}/${make.word()}${index}.${ending}`);
}

function storedTree(): CorpusEntry {
  const make = new Maker(361);
  const files = paths(make, 320, 'ts');
  const lines = files.map((path, index) => {
    const size = index === 200 ? 918_273 : make.number(200, 9000);
    return `${index === 99 ? '100755' : '100644'} blob ${make.hex(40)} ${String(size).padStart(7)}\tsrc/${path}`;
  });
  return {
    name: 'the tree of a commit',
    kind: 'paths',
    tool: shell('git ls-tree -r -l HEAD'),
    text: lines.join('\n'),
    facts: [
      '[320 paths; 100644 blob ',
      lines[99] ?? '',
      '918273',
      ...files.map((path) => path.split('/')[1] ?? ''),
    ],
  };
}

function changedLines(): CorpusEntry {
  const make = new Maker(362);
  const files = make.list(90, (index) => `${make.pick(['cart', 'mail'])}/${make.word()}${index}.go`);
  const lines = files.map((path, index) =>
    [index === 40 ? 4411 : make.number(1, 60), make.number(0, 20), `internal/service/handlers/${path}`].join(
      '\t',
    ),
  );
  const image = '-\t-\tassets/logo.png';
  return {
    name: 'changed lines of each file',
    kind: 'paths',
    tool: shell('git diff --numstat main'),
    text: [...lines, image].join('\n'),
    facts: ['[91 paths]', '4411', image, ...files.map((path) => path.split('/')[1] ?? '')],
  };
}

function targets(): CorpusEntry {
  const make = new Maker(363);
  const lines = make.list(150, (index) =>
    index === 70
      ? '//ledger/close:close_test            FAILED in 3 out of 3 in 41.2s'
      : `//${make.word()}/${make.word()}:test_${index}       PASSED in ${make.number(1, 9)}.${index % 10}s`,
  );
  return {
    name: 'targets of a build',
    kind: 'test output',
    tool: shell('bazel test //...'),
    text: [...lines, 'Executed 150 out of 150 tests: 149 tests pass and 1 fails locally.'].join('\n'),
    facts: [lines[70] ?? '', 'Executed 150 out of 150 tests: 149 tests pass and 1 fails locally.'],
  };
}

function playbook(): CorpusEntry {
  const make = new Maker(364);
  const failed = 'fatal: [web4]: FAILED! => {"msg": "No space left on device: /var/lib/apt"}';
  const tasks = make.list(30, (task) => [
    `TASK [${make.word()} : ${make.words(3)}] ${'*'.repeat(30)}`,
    ...make.list(8, (host) => (task === 12 && host === 4 ? failed : `ok: [web${host}]`)),
    '',
  ]);
  return {
    name: 'the run of a playbook',
    kind: 'log',
    tool: shell('ansible-playbook site.yml'),
    text: [...tasks.flat(), `PLAY RECAP ${'*'.repeat(30)}`, 'web4 : ok=12 changed=0 failed=1'].join('\n'),
    facts: [failed, tasks[12]?.[0] ?? '', 'ok=12 changed=0 failed=1'],
  };
}

function scannedHosts(): CorpusEntry {
  const make = new Maker(365);
  const hosts = make.list(50, (index) => [
    `Nmap scan report for 10.0.0.${index + 10}`,
    `Host is up (0.00${make.number(10, 99)}s latency).`,
    'PORT   STATE SERVICE',
    ...(index === 30 ? ['2375/tcp open docker'] : []),
    '22/tcp open ssh',
    '',
  ]);
  return {
    name: 'ports of hosts',
    kind: 'log',
    tool: shell('nmap 10.0.0.0/24'),
    text: [...hosts.flat(), 'Nmap done: 256 IP addresses (50 hosts up)'].join('\n'),
    facts: ['Nmap scan report for 10.0.0.40', '2375/tcp open docker', '(50 hosts up)'],
  };
}

function compiledObjects(): CorpusEntry {
  const make = new Maker(366);
  const lines = paths(make, 220, 'cc.o').map(
    (path, index) => `[${String(Math.floor(index / 2.2)).padStart(3)}%] Building CXX object src/${path}`,
  );
  const error = '/src/ring.cc:88:17: error: capcity_ was not declared in this scope';
  return {
    name: 'objects of a build',
    kind: 'build output',
    tool: shell('make -j8'),
    text: [...lines.slice(0, 150), error, ...lines.slice(150), 'make: *** [all] Error 2'].join('\n'),
    facts: [error, 'make: *** [all] Error 2', '[220 lines like this'],
  };
}

function vetted(): CorpusEntry {
  const make = new Maker(367);
  const places = paths(make, 60, 'go').map(
    (path) => `./${path}:${make.number(2, 400)}:${make.number(2, 30)}`,
  );
  const lines = places.map((place, index) =>
    index === 41 ? `${place}: Printf format %d has arg name of wrong type` : `${place}: unreachable code`,
  );
  return {
    name: 'findings without a severity',
    kind: 'diagnostics',
    tool: shell('go vet ./...'),
    text: lines.join('\n'),
    facts: ['[60 findings', lines[41] ?? '', 'unreachable code (59)', ...places],
  };
}

function packages(): CorpusEntry {
  const make = new Maker(368);
  const names = make.list(160, (index) => `${make.word()}${index % 7 === 0 ? '-' : ''}${make.word()}`);
  const rows = names.map(
    (name) => `${name.padEnd(24)}${make.number(0, 9)}.${make.number(0, 30)}.${make.number(0, 9)}`,
  );
  const header = `${'Package'.padEnd(24)}${'Version'.padEnd(12)}Location`;
  return {
    name: 'installed packages',
    kind: 'table',
    tool: shell('pip list'),
    text: [
      header,
      `${'-'.repeat(22)}  ${'-'.repeat(10)}  --------`,
      ...rows.map((row) => `${row.padEnd(36)}venv`),
    ].join('\n'),
    facts: ['160 rows', ...names],
  };
}

function partialAnswer(): CorpusEntry {
  const make = new Maker(369);
  const errors = [{ message: 'no rights for order 77', path: ['orders', 77] }];
  const orders = make.list(200, (id) => ({
    id,
    state: id === 150 ? 'held' : 'open',
    cost: make.number(5, 90),
  }));
  return {
    name: 'an answer with data and errors',
    kind: 'json',
    tool: call('graphql', { query: '{ orders { id } }' }),
    text: JSON.stringify({ errors, data: { orders } }),
    facts: [JSON.stringify(errors), '200 rows', '"held"', '"id":150'],
  };
}

function installation(): CorpusEntry {
  const make = new Maker(370);
  const bar = make
    .list(90, (index) => `     ${'━'.repeat(index / 3)} ${index}.4/90.1 MB 12.0 MB/s`)
    .join('\r');
  const satisfied = make.list(
    50,
    () => `Requirement already satisfied: ${make.word()} in ./venv/lib (from torch)`,
  );
  const conflict = 'tide 1.4 requires numpy<2, but you have numpy 2.0.1 which is incompatible.';
  return {
    name: 'an installation with a progress bar',
    kind: 'log',
    tool: shell('pip install torch'),
    text: ['Collecting torch', bar, ...satisfied, conflict, 'Successfully installed torch-2.3.0'].join('\n'),
    facts: ['Collecting torch', '89.4/90.1 MB', conflict, 'Successfully installed torch-2.3.0'],
  };
}
