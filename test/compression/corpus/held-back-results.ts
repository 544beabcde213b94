import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

const FOLDERS = ['app/core', 'app/mail', 'pkg/queue', 'web/pages', 'tools'] as const;

/** Texts of the same classes as the everyday ones by other programs. No rule was made for one of these. */
export const heldBackResults: readonly CorpusEntry[] = [
  blackCheck(),
  pullRequestChecks(),
  shortStatus(),
  semgrepReport(),
  ruffReport(),
  sheetValues(),
  searchHits(),
  podObject(),
  cargoTree(),
  gradleTree(),
];

function files(make: Maker, count: number, ending: string): string[] {
  return make.list(count, (index) => `${make.pick(FOLDERS)}/${make.word()}_${make.word()}${index}.${ending}`);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function blackCheck(): CorpusEntry {
  const make = new Maker(201);
  const wrong = files(make, 340, 'py');
  return {
    name: 'a check by Black',
    kind: 'paths',
    tool: shell('black --check .'),
    text: [
      ...wrong.map((file) => `would reformat /srv/${file}`),
      'error: cannot format /srv/app/core/legacy.py: Cannot parse: 88:4: print "x"',
      '',
      'Oh no! 💥 💔 💥',
      '340 files would be reformatted, 912 files would be left unchanged, 1 file would fail to reformat.',
    ].join('\n'),
    facts: [...wrong.map(baseOf), 'legacy.py', 'Cannot parse: 88:4', '912 files'],
  };
}

function pullRequestChecks(): CorpusEntry {
  const make = new Maker(202);
  const names = make.list(
    70,
    (index) => `${make.pick(['build', 'test', 'lint', 'e2e'])} (${make.word()}, ${index})`,
  );
  const rows = names.map((name, index) =>
    [
      name,
      index === 31 || index === 58 ? 'fail' : index === 12 ? 'skipping' : 'pass',
      `${make.number(1, 9)}m${make.number(10, 59)}s`,
      `https://github.com/acme/shop/actions/runs/77${index}/job/${make.number(10000, 99999)}`,
    ].join('\t'),
  );
  return {
    name: 'checks of a pull request',
    kind: 'table',
    tool: shell('gh pr checks 512'),
    text: rows.join('\n'),
    facts: [...names, rows[31]?.split('\t')[3] ?? '', rows[58]?.split('\t')[3] ?? '', 'skipping'],
  };
}

function shortStatus(): CorpusEntry {
  const make = new Maker(203);
  const changed = files(make, 330, 'rs');
  const rows = changed.map((file, index) => `${index === 40 ? 'UU' : index % 3 === 0 ? '??' : ' M'} ${file}`);
  return {
    name: 'a short status of git',
    kind: 'listing',
    tool: shell('git status -s'),
    text: rows.join('\n'),
    facts: [...changed.map(baseOf), `UU ${changed[40] ?? ''}`],
  };
}

function semgrepReport(): CorpusEntry {
  const make = new Maker(204);
  const paths = files(make, 24, 'js');
  const rows = make.list(96, (index) => ({
    check_id:
      index === 41 || index === 80
        ? 'javascript.lang.security.detect-eval'
        : 'javascript.lang.best-practice.leftover-console',
    path: paths[index % 24] ?? '',
    start: { line: 20 + index, col: 3, offset: index * 91 },
    end: { line: 20 + index, col: 22, offset: index * 91 + 19 },
    extra: {
      message: index === 41 || index === 80 ? 'Detected eval of a variable.' : 'Leftover console call.',
      severity: index === 41 || index === 80 ? 'ERROR' : 'INFO',
      metadata: { category: 'security', confidence: 'LOW', cwe: ['CWE-95'] },
      lines: `console.log(${make.word()})`,
    },
  }));
  return {
    name: 'a report of Semgrep',
    kind: 'json',
    tool: shell('semgrep --json --config auto'),
    text: JSON.stringify({ version: '1.99.0', results: rows, errors: [], paths: { scanned: paths } }),
    facts: [
      '96 rows',
      'detect-eval',
      `"path":"${paths[41 % 24] ?? ''}","start":{"line":61`,
      `"path":"${paths[80 % 24] ?? ''}","start":{"line":100`,
      ...paths,
    ],
  };
}

function ruffReport(): CorpusEntry {
  const make = new Maker(205);
  const paths = files(make, 40, 'py');
  const rows = make.list(130, (index) => ({
    cell: null,
    code: index === 64 ? 'F821' : make.pick(['E501', 'F401']),
    end_location: { column: 20, row: index + 2 },
    filename: `/srv/${paths[(index * 7) % 40] ?? ''}`,
    fix: null,
    location: { column: 1, row: index + 2 },
    message: index === 64 ? 'Undefined name `currency`' : 'Line too long (104 > 88)',
    noqa_row: index + 2,
    url: 'https://docs.astral.sh/ruff/rules',
  }));
  return {
    name: 'a report of Ruff as JSON',
    kind: 'json',
    tool: shell('ruff check --output-format json'),
    text: JSON.stringify(rows, undefined, 2),
    facts: ['130 rows', 'F821', 'Undefined name `currency`', rows[64]?.filename ?? '', ...paths.map(baseOf)],
  };
}

function sheetValues(): CorpusEntry {
  const make = new Maker(206);
  const rows: unknown[] = make.list(300, (index) => [
    `2025-03-${String(1 + (index % 28)).padStart(2, '0')}`,
    make.pick(['Berlin', 'Lyon', 'Porto']),
    make.number(100, 900),
    index === 141 ? 'refund' : 'sale',
  ]);
  rows[90] = ['#REF!', '', ''];
  rows[222] = 'end of March';
  rows[260] = { note: 'audited by Ines' };
  return {
    name: 'values of a sheet',
    kind: 'json',
    tool: call('sheets_get_values', { range: 'A1:D300' }),
    text: JSON.stringify({ range: 'A1:D300', majorDimension: 'ROWS', values: rows }, undefined, 2),
    facts: ['300 rows', '#REF!', 'end of March', 'audited by Ines', '"refund"', 'majorDimension'],
  };
}

function searchHits(): CorpusEntry {
  const make = new Maker(207);
  const paths = files(make, 40, 'md');
  const hits = paths.map((path, index) => ({
    _index: 'docs',
    _id: make.hex(12),
    _score: Number((14.2 - index * 0.271).toFixed(3)),
    _source: { path, title: make.words(4), body: make.words(30), tags: [make.word(), make.word()] },
  }));
  return {
    name: 'hits of a search engine',
    kind: 'json',
    tool: call('http_get', { url: 'http://search:9200/docs/_search?q=lease' }),
    text: JSON.stringify({
      took: 7,
      timed_out: false,
      hits: { total: { value: 40 }, max_score: 14.2, hits },
    }),
    facts: [
      '40 rows',
      '"took":7',
      ...hits.slice(0, 16).flatMap((hit) => [hit._source.path, String(hit._score)]),
    ],
  };
}

function podObject(): CorpusEntry {
  const make = new Maker(208);
  const env = make.list(30, (index) =>
    index === 17
      ? { name: 'FEATURE_CHECKOUT', value: 'off' }
      : { name: `${make.word().toUpperCase()}_${index}`, value: make.word() },
  );
  const mounts = make.list(13, (index) => ({
    name: `vol-${make.word()}`,
    mountPath: `/mnt/${make.word()}${index}`,
    readOnly: index === 6,
  }));
  const conditions = [
    'PodReadyToStartContainers',
    'Initialized',
    'Ready',
    'ContainersReady',
    'PodScheduled',
  ].map((type) => ({
    type,
    status: type.includes('Ready') && type !== 'PodReadyToStartContainers' ? 'False' : 'True',
    lastTransitionTime: make.time(60),
  }));
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'checkout-7d9f', namespace: 'shop', labels: { app: 'checkout', tier: 'web' } },
    spec: {
      nodeName: 'node-4',
      containers: [
        {
          name: 'checkout',
          image: 'registry.acme/checkout:5.1.0',
          ports: make.list(14, (index) => ({
            name: `p${index}`,
            containerPort: 7000 + index * 3,
            protocol: index === 11 ? 'UDP' : 'TCP',
          })),
          env,
          volumeMounts: mounts,
          livenessProbe: {
            httpGet: { path: '/healthz', port: 7000 },
            initialDelaySeconds: 15,
            failureThreshold: 3,
          },
          resources: { limits: { cpu: '500m', memory: '256Mi' } },
        },
      ],
      tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoSchedule' }],
    },
    status: {
      phase: 'Running',
      conditions,
      containerStatuses: [{ name: 'checkout', restartCount: 17, ready: false }],
    },
  };
  return {
    name: 'an object of a cluster',
    kind: 'json',
    tool: shell('kubectl get pod checkout-7d9f -n shop -o json'),
    text: JSON.stringify(pod, undefined, 4),
    facts: [
      ...[
        'FEATURE_CHECKOUT',
        '"off"',
        '"restartCount": 17',
        '/healthz',
        '256Mi',
        'node-4',
        'UDP',
        '7033',
        'dedicated',
      ],
      ...env.map(({ name }) => name),
      ...mounts.map(({ mountPath }) => mountPath),
      ...conditions.map(({ type }) => type),
    ],
  };
}

function cargoTree(): CorpusEntry {
  const make = new Maker(212);
  const top = make.list(
    24,
    (index) => `${make.word()}${index} v${make.number(0, 4)}.${make.number(1, 20)}.2`,
  );
  const lines = top.flatMap((name, index) => {
    const last = index === top.length - 1;
    return [
      `${last ? '└──' : '├──'} ${name}`,
      ...make.list(
        11,
        (inner) =>
          `${last ? '    ' : '│   '}${inner === 10 ? '└──' : '├──'} ${make.word()} v1.${inner}.0${inner % 4 === 1 ? ' (*)' : ''}`,
      ),
    ];
  });
  return {
    name: 'a tree of crates',
    kind: 'paths',
    tool: shell('cargo tree'),
    text: ['shop v0.3.0 (/work/shop)', ...lines].join('\n'),
    facts: [...top, 'shop v0.3.0'],
  };
}

function gradleTree(): CorpusEntry {
  const make = new Maker(213);
  const top = make.list(
    20,
    (index) => `io.${make.word()}:${make.word()}-${index}:${make.number(1, 7)}.${make.number(0, 9)}.0`,
  );
  const lines = top.flatMap((name, index) => {
    const last = index === top.length - 1;
    return [
      `${last ? '\\---' : '+---'} ${name}`,
      ...make.list(
        12,
        (inner) =>
          `${last ? '     ' : '|    '}${inner === 11 ? '\\---' : '+---'} org.${make.word()}:${make.word()}:1.${inner}${inner % 5 === 2 ? ' -> 2.0' : ''}${inner % 6 === 3 ? ' (*)' : ''}`,
      ),
    ];
  });
  return {
    name: 'a tree of Gradle dependencies',
    kind: 'paths',
    tool: shell('./gradlew dependencies --configuration runtimeClasspath'),
    text: [
      '> Task :dependencies',
      '',
      '------------------------------------------------------------',
      "Root project 'shop'",
      '------------------------------------------------------------',
      '',
      'runtimeClasspath - Runtime classpath of source set main.',
      ...lines,
      '',
      'BUILD SUCCESSFUL in 1s',
    ].join('\n'),
    facts: [...top, 'BUILD SUCCESSFUL'],
  };
}
