import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

const FOLDERS = ['src/api', 'src/billing', 'src/ui/forms', 'lib/store', 'test/unit'] as const;

/** Output of everyday programs, each with the few things that its reader was looking for. */
export const everydayResults: readonly CorpusEntry[] = [
  gitStatus(),
  prettierCheck(),
  eslintReport(),
  pyrightReport(),
  queryRows(),
  embeddingSearch(),
  dockerInspect(),
  npmTree(),
  mavenTree(),
  mixedValues(),
];

function files(make: Maker, count: number, ending: string): string[] {
  return make.list(count, (index) => `${make.pick(FOLDERS)}/${make.word()}-${make.word()}${index}.${ending}`);
}

function gitStatus(): CorpusEntry {
  const make = new Maker(101);
  const changed = files(make, 90, 'ts');
  const fresh = files(make, 40, 'md');
  return {
    name: 'a long status of git',
    kind: 'listing',
    tool: shell('git status'),
    text: [
      'On branch feature/billing',
      "Your branch is ahead of 'origin/feature/billing' by 3 commits.",
      '  (use "git push" to publish your local commits)',
      '',
      'Changes not staged for commit:',
      '  (use "git add <file>..." to update what will be committed)',
      '  (use "git restore <file>..." to discard changes in working directory)',
      ...changed.map((file, index) => `\t${index % 17 === 3 ? 'deleted: ' : 'modified:'}   ${file}`),
      '',
      'Untracked files:',
      '  (use "git add <file>..." to include in what will be committed)',
      ...fresh.map((file) => `\t${file}`),
      '',
      'no changes added to commit (use "git add" and/or "git commit -a")',
    ].join('\n'),
    facts: [...changed, ...fresh]
      .map((file) => file.slice(file.lastIndexOf('/') + 1))
      .concat('ahead of', 'by 3 commits'),
  };
}

function prettierCheck(): CorpusEntry {
  const make = new Maker(102);
  const wrong = files(make, 380, 'tsx');
  return {
    name: 'a check of formats',
    kind: 'paths',
    tool: shell('npx prettier --check .'),
    text: [
      'Checking formatting...',
      ...wrong.map((file) => `[warn] ${file}`),
      '[error] src/ui/broken.tsx: SyntaxError: Unexpected token (14:3)',
      `[warn] Code style issues found in ${wrong.length} files. Run Prettier with --write to fix.`,
    ].join('\n'),
    facts: [
      ...wrong.map((file) => file.slice(file.lastIndexOf('/') + 1)),
      'src/ui/broken.tsx',
      'Unexpected token (14:3)',
      'in 380 files',
    ],
  };
}

function eslintReport(): CorpusEntry {
  const make = new Maker(103);
  const paths = files(make, 160, 'js');
  const bad = [11, 47, 90, 133];
  const rows = paths.map((path, index) => {
    const errors = bad.includes(index) ? 1 : 0;
    const warnings = index % 4 === 1 ? 1 : 0;
    const message = (ruleId: string, severity: number, line: number): object => ({
      ruleId,
      severity,
      message: `'${make.word()}' is defined but never used.`,
      line,
      column: 7,
      nodeType: 'Identifier',
      endLine: line,
      endColumn: 12,
    });
    return {
      filePath: `/work/app/${path}`,
      messages: [
        ...(errors ? [message('no-undef', 2, 400 + index)] : []),
        ...(warnings ? [message('no-unused-vars', 1, 10 + index)] : []),
      ],
      suppressedMessages: [],
      errorCount: errors,
      fatalErrorCount: 0,
      warningCount: warnings,
      fixableErrorCount: 0,
      fixableWarningCount: 0,
      usedDeprecatedRules: [],
    };
  });
  return {
    name: 'a report of ESLint as JSON',
    kind: 'json',
    tool: shell('npx eslint -f json src'),
    text: JSON.stringify(rows),
    facts: [
      '160 rows',
      'no-undef',
      ...bad.flatMap((index) => [paths[index] ?? '', `"line":${400 + index}`]),
      'errorCount',
    ],
  };
}

function pyrightReport(): CorpusEntry {
  const make = new Maker(104);
  const paths = files(make, 30, 'py');
  const rows = make.list(140, (index) => ({
    file: `/srv/app/${paths[index % 30] ?? ''}`,
    severity: index % 47 === 5 ? 'error' : 'warning',
    message:
      index % 47 === 5
        ? `"${make.word()}" is not a known member of "None"`
        : `Import "${make.word()}" is not accessed`,
    range: { start: { line: index * 3, character: 4 }, end: { line: index * 3, character: 14 } },
    rule: index % 47 === 5 ? 'reportOptionalMemberAccess' : 'reportUnusedImport',
  }));
  return {
    name: 'a report of Pyright as JSON',
    kind: 'json',
    tool: shell('pyright --outputjson'),
    text: JSON.stringify(
      {
        version: '1.1.390',
        time: '1736500000000',
        generalDiagnostics: rows,
        summary: {
          filesAnalyzed: 212,
          errorCount: 3,
          warningCount: 137,
          informationCount: 0,
          timeInSec: 4.2,
        },
      },
      undefined,
      4,
    ),
    facts: [
      '140 rows',
      'reportOptionalMemberAccess',
      ...[5, 52, 99].flatMap((index) => [rows[index]?.file ?? '', rows[index]?.message.split('"')[1] ?? '']),
      '"filesAnalyzed": 212',
      '"errorCount": 3',
      ...paths.map((path) => path.slice(path.lastIndexOf('/') + 1)),
    ],
  };
}

function queryRows(): CorpusEntry {
  const make = new Maker(105);
  const rows = make.list(420, (index) => [
    5000 + index,
    make.word(),
    index === 233 ? 'suspended' : make.pick(['active', 'invited']),
    index === 310 ? null : `${make.number(1, 28)}.0${make.number(1, 9)}.2025`,
    index === 77 ? -40 : make.number(3, 90),
  ]);
  rows.splice(350, 0, ['subtotal', 17342]);
  return {
    name: 'rows of a query as arrays',
    kind: 'json',
    tool: call('run_sql', { sql: 'select * from members' }),
    text: JSON.stringify({ columns: ['id', 'name', 'state', 'joined', 'visits'], rows, took: 12 }),
    facts: [
      '421 rows',
      'suspended',
      '5233',
      '5310',
      '-40',
      '5077',
      'subtotal',
      '17342',
      '"took":12',
      'joined',
    ],
  };
}

function mixedValues(): CorpusEntry {
  const make = new Maker(106);
  const values: unknown[] = make.list(260, () => make.number(20, 30) + make.number(0, 9) / 10);
  values[120] = 'sensor offline';
  values[188] = { error: 'timeout', retries: 3 };
  values[201] = 99.9;
  return {
    name: 'an array of numbers with other values in it',
    kind: 'json',
    tool: call('read_sensor', { id: 'boiler-2' }),
    text: JSON.stringify({ sensor: 'boiler-2', unit: 'C', values }, undefined, 1),
    facts: ['260 rows', 'sensor offline', '"timeout"', '"retries": 3', '99.9', 'boiler-2'],
  };
}

function embeddingSearch(): CorpusEntry {
  const make = new Maker(107);
  const paths = files(make, 48, 'go');
  const rows = paths.map((path, index) => ({
    path,
    score: Number((0.93 - index * 0.0113).toFixed(4)),
    startLine: make.number(1, 300),
    snippet: `func ${make.word()}(${make.words(18)}) { return ${make.words(14)} }`,
  }));
  return {
    name: 'results of a search by meaning',
    kind: 'json',
    tool: call('codebase_search', { query: 'retry with backoff' }),
    text: JSON.stringify({ query: 'retry with backoff', results: rows }, undefined, 2),
    facts: ['48 rows', ...rows.slice(0, 20).flatMap(({ path, score }) => [path, String(score)])],
  };
}

function dockerInspect(): CorpusEntry {
  const make = new Maker(108);
  const env = make.list(34, (index) => `${make.word().toUpperCase()}_${index}=${make.word()}`);
  env.splice(20, 0, 'DATABASE_URL=postgres://shop-db:5432/shop');
  const mounts = make.list(14, (index) => ({
    Type: 'bind',
    Source: `/srv/${make.word()}${index}`,
    Destination: `/data/${make.word()}${index}`,
    Mode: index === 9 ? 'ro' : 'rw',
    RW: index !== 9,
    Propagation: 'rprivate',
  }));
  const health = make.list(15, (index) => ({
    Start: make.time(index * 30),
    End: make.time(index * 30 + 1),
    ExitCode: index >= 13 ? 1 : 0,
    Output: index >= 13 ? 'curl: (7) Failed to connect to localhost port 8080' : 'ok',
  }));
  const ports = Object.fromEntries(
    make.list(16, (index) => [
      `${8000 + index}/tcp`,
      [{ HostIp: '0.0.0.0', HostPort: String(index === 7 ? 19907 : 8000 + index) }],
    ]),
  );
  const inspected = [
    {
      Id: make.hex(64),
      Created: make.time(0),
      State: {
        Status: 'running',
        OOMKilled: false,
        ExitCode: 0,
        Health: { Status: 'unhealthy', FailingStreak: 2, Log: health },
      },
      RestartCount: 4,
      HostConfig: {
        Memory: 536870912,
        RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 5 },
        Privileged: false,
      },
      Mounts: mounts,
      Config: {
        Hostname: 'shop-web',
        User: '1000',
        Env: env,
        Cmd: ['node', 'server.js'],
        Image: 'shop/web:2.4.1',
      },
      NetworkSettings: { Ports: ports, IPAddress: '172.18.0.7' },
    },
  ];
  return {
    name: 'an inspected container',
    kind: 'json',
    tool: shell('docker inspect shop-web'),
    text: JSON.stringify(inspected, undefined, 4),
    facts: [
      ...[
        'unhealthy',
        '"FailingStreak": 2',
        'Failed to connect to localhost port 8080',
        '536870912',
        'on-failure',
      ],
      ...[
        'DATABASE_URL=postgres://shop-db:5432/shop',
        '"RestartCount": 4',
        '172.18.0.7',
        'shop/web:2.4.1',
        '19907',
      ],
      ...mounts.map(({ Source }) => Source),
      ...env.map((each) => each),
      ...Object.keys(ports),
    ],
  };
}

function npmTree(): CorpusEntry {
  const make = new Maker(111);
  const top = make.list(
    26,
    (index) => `${make.word()}-${index}@${make.number(1, 9)}.${make.number(0, 20)}.0`,
  );
  const lines = top.flatMap((name, index) => {
    const last = index === top.length - 1;
    const depth = last ? '  ' : '│ ';
    return [
      `${last ? '└─┬' : '├─┬'} ${name}${index === 12 ? ' invalid: "^9.0.0" from the root project' : ''}`,
      ...make.list(
        14,
        (inner) =>
          `${depth}${inner === 13 ? '└──' : '├──'} ${make.word()}@${make.number(1, 9)}.0.${inner}${inner % 5 === 0 ? ' deduped' : ''}`,
      ),
    ];
  });
  return {
    name: 'a tree of npm packages',
    kind: 'paths',
    tool: shell('npm ls --all'),
    text: ['shop@1.0.0 /work/shop', ...lines].join('\n'),
    facts: [...top, 'invalid: "^9.0.0" from the root project', 'shop@1.0.0'],
  };
}

function mavenTree(): CorpusEntry {
  const make = new Maker(112);
  const top = make.list(
    22,
    (index) =>
      `org.${make.word()}:${make.word()}-${index}:jar:${make.number(1, 6)}.${make.number(0, 9)}.1:compile`,
  );
  const lines = top.flatMap((name, index) => {
    const last = index === top.length - 1;
    return [
      `[INFO] ${last ? '\\-' : '+-'} ${name}`,
      ...make.list(
        12,
        (inner) =>
          `[INFO] ${last ? '   ' : '|  '}${inner === 11 ? '\\-' : '+-'} com.${make.word()}:${make.word()}:jar:${make.number(1, 4)}.${inner}:${inner === 3 ? 'runtime' : 'compile'}`,
      ),
    ];
  });
  return {
    name: 'a tree of Maven dependencies',
    kind: 'paths',
    tool: shell('mvn dependency:tree'),
    text: [
      '[INFO] Scanning for projects...',
      '[INFO] ',
      '[INFO] --- dependency:3.6.0:tree (default-cli) @ shop ---',
      '[INFO] org.shop:shop:jar:1.0-SNAPSHOT',
      ...lines,
      '[INFO] BUILD SUCCESS',
      '[INFO] Total time:  2.113 s',
    ].join('\n'),
    facts: [...top.map((name) => name.split(':').slice(0, 2).join(':')), 'BUILD SUCCESS', '2.113 s'],
  };
}
