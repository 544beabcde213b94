import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** Output of test runners, builds and installers. */
export const buildResults: readonly CorpusEntry[] = [
  failedJest(),
  mocha(),
  tap(),
  maven(),
  webpack(),
  cargo(),
  npmInstall(),
  pipInstall(),
  dockerBuild(),
  gcc(),
  apt(),
];

function failedJest(): CorpusEntry {
  const make = new Maker(41);
  const failures = make.list(6, (index) => ({
    title: `pool › case ${index} › gives ${make.word()}`,
    block: [
      '',
      '    expect(received).toEqual(expected) // deep equality',
      '',
      `    Expected: ${index * 7}`,
      `    Received: ${index * 7 + 1}`,
      '',
      `      at Object.<anonymous> (src/pool.spec.ts:${20 + index * 11}:25)`,
      '      at node_modules/jest-circus/build/utils.js:231:10',
      '',
    ],
  }));
  const suites = make.list(
    60,
    (index) =>
      `PASS src/${make.word()}/${make.word()}${index}.spec.ts (${make.number(1, 9)}.${make.number(1, 9)} s)`,
  );
  return {
    name: 'Jest with six failures',
    kind: 'test output',
    tool: shell('npx jest'),
    text: [
      ...suites,
      'FAIL src/pool.spec.ts',
      ...failures.flatMap(({ title, block }) => [`  ● ${title}`, ...block]),
      'Test Suites: 1 failed, 60 passed, 61 total',
      'Tests:       6 failed, 512 passed, 518 total',
      'Snapshots:   0 total',
      'Time:        14.21 s',
    ].join('\n'),
    facts: [
      ...failures.flatMap(({ title }, index) => [
        title,
        `Expected: ${index * 7}`,
        `Received: ${index * 7 + 1}`,
        `src/pool.spec.ts:${20 + index * 11}:25`,
      ]),
      ...[
        'FAIL src/pool.spec.ts',
        '6 failed, 512 passed, 518 total',
        '1 failed, 60 passed, 61 total',
        '14.21 s',
      ],
    ],
  };
}

function mocha(): CorpusEntry {
  const make = new Maker(42);
  const groups = make
    .list(20, () => [
      `  ${make.word()}`,
      ...make.list(12, () => `    ✔ ${make.words(5)} (${make.number(1, 90)}ms)`),
    ])
    .flat();
  return {
    name: 'Mocha with two failures',
    kind: 'test output',
    tool: shell('npm test'),
    text: [
      ...groups,
      '    1) rejects a second lease',
      '    2) closes twice',
      '',
      '  240 passing (3s)',
      '  2 failing',
      '',
      '  1) lease',
      '       rejects a second lease:',
      '     AssertionError: expected 2 to equal 1',
      '      at Context.<anonymous> (test/lease.js:31:14)',
      '',
      '  2) lease',
      '       closes twice:',
      '     TypeError: this.socket is undefined',
      '      at Lease.close (lib/lease.js:9:3)',
    ].join('\n'),
    facts: [
      '240 passing (3s)',
      '2 failing',
      'rejects a second lease',
      'AssertionError: expected 2 to equal 1',
      'test/lease.js:31:14',
      'closes twice',
      'TypeError: this.socket is undefined',
      'lib/lease.js:9:3',
    ],
  };
}

function tap(): CorpusEntry {
  const make = new Maker(43);
  const lines = make.list(180, (index) =>
    index === 90
      ? 'not ok 91 - parses an empty body\n  ---\n  operator: equal\n  expected: null\n  actual: {}\n  at: test/body.js:12\n  ...'
      : `ok ${index + 1} - ${make.words(4)}`,
  );
  return {
    name: 'TAP with one failure',
    kind: 'test output',
    tool: shell('node --test'),
    text: ['TAP version 13', ...lines, '1..180', '# tests 180', '# pass 179', '# fail 1'].join('\n'),
    facts: [
      'not ok 91 - parses an empty body',
      'expected: null',
      'actual: {}',
      'test/body.js:12',
      '# tests 180',
      '# pass 179',
      '# fail 1',
      '1..180',
    ],
  };
}

function maven(): CorpusEntry {
  const make = new Maker(44);
  const downloads = make.list(300, () => {
    const path = `org/${make.word()}/${make.word()}/${make.number(1, 9)}.${make.number(0, 9)}/${make.word()}.pom`;
    return `[INFO] Downloading from central: https://repo.example/maven2/${path}\n[INFO] Downloaded from central: https://repo.example/maven2/${path} (${make.number(1, 90)} kB at ${make.number(50, 900)} kB/s)`;
  });
  return {
    name: 'Maven that fails to compile',
    kind: 'build output',
    tool: shell('mvn -q package'),
    text: [
      '[INFO] Scanning for projects...',
      '[INFO] Building ledger 2.3.0-SNAPSHOT',
      ...downloads,
      '[WARNING] /app/src/main/java/Ledger.java:[12,8] unchecked conversion',
      '[ERROR] COMPILATION ERROR :',
      '[ERROR] /app/src/main/java/Ledger.java:[88,17] cannot find symbol',
      '[ERROR]   symbol:   method appendAll(java.util.List)',
      '[INFO] BUILD FAILURE',
      '[INFO] Total time:  41.222 s',
    ].join('\n'),
    facts: [
      'ledger 2.3.0-SNAPSHOT',
      'Ledger.java:[12,8] unchecked conversion',
      'COMPILATION ERROR',
      'Ledger.java:[88,17] cannot find symbol',
      'method appendAll(java.util.List)',
      'BUILD FAILURE',
      '41.222 s',
    ],
  };
}

function webpack(): CorpusEntry {
  const make = new Maker(45);
  const assets = make.list(
    140,
    (index) =>
      `asset ${make.word()}.${make.hex(8)}.js ${index === 77 ? 4321 : make.number(2, 90)} KiB [emitted] [immutable] (name: ${make.word()})`,
  );
  return {
    name: 'webpack with a large asset and an error',
    kind: 'build output',
    tool: shell('npx webpack'),
    text: [
      ...assets,
      'orphan modules 2.31 MiB [orphan] 812 modules',
      'ERROR in ./src/cart.tsx 14:22-41',
      "Module not found: Error: Can't resolve './Prices' in '/app/src'",
      'webpack 5.90.1 compiled with 1 error in 18211 ms',
    ].join('\n'),
    facts: [
      '4321 KiB',
      './src/cart.tsx 14:22-41',
      "Can't resolve './Prices' in '/app/src'",
      'webpack 5.90.1 compiled with 1 error in 18211 ms',
      '812 modules',
    ],
  };
}

function cargo(): CorpusEntry {
  const make = new Maker(46);
  const crates = make.list(
    220,
    () =>
      `   Compiling ${make.word()}-${make.word()} v${make.number(0, 4)}.${make.number(0, 30)}.${make.number(0, 9)}`,
  );
  return {
    name: 'cargo with an error',
    kind: 'build output',
    tool: shell('cargo build --release'),
    text: [
      ...crates,
      'warning: unused variable: `limit`',
      '  --> src/pool.rs:31:9',
      '   |',
      '31 |     let limit = 4;',
      '   |         ^^^^^ help: if this is intentional, prefix it with an underscore',
      '',
      'error[E0382]: borrow of moved value: `lease`',
      '   --> src/pool.rs:88:20',
      '',
      'error: could not compile `gateway` (lib) due to 1 previous error; 1 warning emitted',
    ].join('\n'),
    facts: [
      'unused variable: `limit`',
      'src/pool.rs:31:9',
      'error[E0382]: borrow of moved value: `lease`',
      'src/pool.rs:88:20',
      'could not compile `gateway` (lib) due to 1 previous error; 1 warning emitted',
    ],
  };
}

function npmInstall(): CorpusEntry {
  const make = new Maker(47);
  const fetched = make.list(
    400,
    () =>
      `npm http fetch GET 200 https://registry.example/${make.word()}/-/${make.word()}-${make.number(1, 9)}.0.0.tgz ${make.number(20, 900)}ms (cache miss)`,
  );
  const deprecated = make.list(
    5,
    (index) => `npm warn deprecated ${make.word()}@${index}.1.0: ${make.words(6)}`,
  );
  return {
    name: 'npm install',
    kind: 'build output',
    tool: shell('npm install --loglevel http'),
    text: [
      ...fetched.slice(0, 200),
      ...deprecated,
      ...fetched.slice(200),
      '',
      'added 812 packages, and audited 813 packages in 41s',
      '3 vulnerabilities (1 moderate, 2 high)',
    ].join('\n'),
    facts: [
      ...deprecated,
      'added 812 packages, and audited 813 packages in 41s',
      '3 vulnerabilities (1 moderate, 2 high)',
    ],
  };
}

function pipInstall(): CorpusEntry {
  const make = new Maker(48);
  const lines = make.list(90, () => {
    const name = make.word();
    const version = `${make.number(1, 9)}.${make.number(0, 20)}.${make.number(0, 9)}`;
    return {
      name,
      version,
      text: `Collecting ${name}\n  Downloading ${name}-${version}-py3-none-any.whl (${make.number(10, 900)} kB)\n     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ ${make.number(10, 900)}.0/900.0 kB 12.1 MB/s eta 0:00:00`,
    };
  });
  const installed = lines.map(({ name, version }) => `${name}-${version}`).join(' ');
  return {
    name: 'pip install',
    kind: 'build output',
    tool: shell('pip install -r requirements.txt'),
    text: [
      ...lines.map(({ text }) => text),
      "ERROR: pip's dependency resolver does not currently take into account all the packages",
      `Successfully installed ${installed}`,
    ].join('\n'),
    facts: [
      "ERROR: pip's dependency resolver",
      ...lines.slice(0, 8).map(({ name, version }) => `${name}-${version}`),
      'Successfully installed',
    ],
  };
}

function dockerBuild(): CorpusEntry {
  const make = new Maker(49);
  const layers = make.list(
    40,
    (index) => `#8 sha256:${make.hex(64)} ${index * 3}.0MB / 120.0MB ${index / 10}s`,
  );
  return {
    name: 'docker build',
    kind: 'build output',
    tool: shell('docker build .'),
    text: [
      '#1 [internal] load build definition from Dockerfile',
      '#8 [2/6] FROM docker.io/library/node:24-slim',
      ...layers,
      ...make.list(
        200,
        (index) =>
          `#9 ${index / 10} Get:${index} http://deb.example bookworm/main amd64 ${make.word()} amd64 ${make.number(1, 9)}.${make.number(0, 20)} [${make.number(10, 900)} kB]`,
      ),
      '#10 [4/6] RUN npm ci',
      '#10 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
      'ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
    ].join('\n'),
    facts: [
      'load build definition from Dockerfile',
      'FROM docker.io/library/node:24-slim',
      '#10 [4/6] RUN npm ci',
      'did not complete successfully: exit code: 1',
      'failed to solve',
    ],
  };
}

function gcc(): CorpusEntry {
  const make = new Maker(50);
  const places = make.list(60, (index) => `src/${make.word()}.c:${index * 7 + 3}:${make.number(2, 40)}`);
  const lines = places.map(
    (place, index) =>
      `${place}: warning: ${index % 3 === 0 ? "unused parameter 'ctx'" : "comparison of integers of different signs: 'int' and 'size_t'"} [-Wextra]`,
  );
  return {
    name: 'warnings of a compiler',
    kind: 'diagnostics',
    tool: shell('make'),
    text: [
      ...lines,
      "src/main.c:88:5: error: implicit declaration of function 'frob' [-Wimplicit-function-declaration]",
      'make: *** [Makefile:12: main.o] Error 1',
    ].join('\n'),
    facts: [
      ...places,
      'src/main.c:88:5',
      "implicit declaration of function 'frob'",
      'make: *** [Makefile:12: main.o] Error 1',
      "unused parameter 'ctx'",
      "comparison of integers of different signs: 'int' and 'size_t'",
    ],
  };
}

function apt(): CorpusEntry {
  const make = new Maker(51);
  const names = make.list(160, () => `lib${make.word()}${make.number(1, 9)}`);
  return {
    name: 'apt-get install',
    kind: 'build output',
    tool: call('execute_command', { command: 'apt-get install -y ffmpeg' }),
    text: [
      ...[
        'Reading package lists...',
        '0 upgraded, 160 newly installed, 0 to remove and 12 not upgraded.',
        'Need to get 96.1 MB of archives.',
      ],
      ...names.map(
        (name, index) =>
          `Get:${index + 1} http://deb.example bookworm/main amd64 ${name} amd64 1.${index}-2 [${make.number(10, 999)} kB]`,
      ),
      ...names.map((name) => `Selecting previously unselected package ${name}:amd64.`),
      ...names.map((name, index) => `Unpacking ${name}:amd64 (1.${index}-2) ...`),
      ...names.map((name, index) => `Setting up ${name}:amd64 (1.${index}-2) ...`),
      'W: Some index files failed to download. They have been ignored, or old ones used instead.',
    ].join('\n'),
    facts: [
      '160 newly installed, 0 to remove and 12 not upgraded',
      'Need to get 96.1 MB',
      'Some index files failed to download',
    ],
  };
}
