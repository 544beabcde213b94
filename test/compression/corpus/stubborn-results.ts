import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

const FOLDERS = ['services/cart', 'services/mail', 'packages/core/src', 'apps/admin/views', 'infra'] as const;

/** Results in which the sought thing stands deep inside, or is one setting among many. */
export const stubbornResults: readonly CorpusEntry[] = [
  longReport(),
  goLintReport(),
  ripgrepJson(),
  longEnvironment(),
  healthLog(),
  hookRun(),
  pipTree(),
  moduleGraph(),
  nestedRows(),
  podList(),
  proxyAccess(),
  unitJournal(),
  rankedChunks(),
  checkRuns(),
];

function files(make: Maker, count: number, ending: string): string[] {
  return make.list(count, (index) => `${make.pick(FOLDERS)}/${make.word()}${index}.${ending}`);
}

/** Few files with many messages each, of which one is an error deep in a list. */
function longReport(): CorpusEntry {
  const make = new Maker(301);
  const paths = files(make, 20, 'ts');
  const rows = paths.map((path, file) => ({
    filePath: `/repo/${path}`,
    messages: make.list(25, (index) => {
      const isError = file === 13 && index === 17;
      return {
        ruleId: isError ? 'no-unsafe-finally' : make.pick(['max-len', 'quotes', 'semi']),
        severity: isError ? 2 : 1,
        message: isError ? "Unsafe usage of 'return'." : `This line is off by ${make.number(1, 40)}.`,
        line: isError ? 7177 : index * 7,
        column: 1,
      };
    }),
    errorCount: file === 13 ? 1 : 0,
    warningCount: 25,
  }));
  return {
    name: 'a report with many messages for each file',
    kind: 'json',
    tool: shell('npx eslint -f json .'),
    text: JSON.stringify(rows),
    facts: ['20 rows', 'no-unsafe-finally', '7177', paths[13] ?? '', ...paths],
  };
}

function goLintReport(): CorpusEntry {
  const make = new Maker(302);
  const paths = files(make, 70, 'go');
  const rows = make.list(110, (index) => ({
    FromLinter: index === 70 ? 'govet' : make.pick(['errcheck', 'revive', 'unused']),
    Text:
      index === 70
        ? 'copylocks: assignment copies lock value'
        : `Error return value of ${make.word()} is not checked`,
    Severity: '',
    SourceLines: [`\t${make.word()}(${make.word()})`],
    Pos: { Filename: paths[(index * 3) % 70] ?? '', Offset: index * 200, Line: index + 9, Column: 2 },
    ExpectNoLint: false,
  }));
  return {
    name: 'a report of golangci-lint',
    kind: 'json',
    tool: shell('golangci-lint run --out-format json'),
    text: JSON.stringify({ Issues: rows, Report: { Linters: [{ Name: 'govet', Enabled: true }] } }),
    facts: ['110 rows', 'copylocks', rows[70]?.Pos.Filename ?? '', '"Line":79', ...paths.slice(0, 60)],
  };
}

function ripgrepJson(): CorpusEntry {
  const make = new Maker(303);
  const paths = files(make, 30, 'py');
  const lines = paths.flatMap((path) => [
    { type: 'begin', data: { path: { text: path } } },
    ...make.list(4, (index) => ({
      type: 'match',
      data: {
        path: { text: path },
        lines: { text: `    lease = pool.acquire(${make.word()}, ${make.word()})\n` },
        line_number: 10 + index * 31,
        absolute_offset: index * 900,
        submatches: [{ match: { text: 'acquire' }, start: 17, end: 24 }],
      },
    })),
    { type: 'end', data: { path: { text: path }, binary_offset: null, stats: { matches: 4 } } },
  ]);
  return {
    name: 'matches of ripgrep as JSON',
    kind: 'json lines',
    tool: shell('rg --json acquire'),
    text: lines.map((line) => JSON.stringify(line)).join('\n'),
    facts: ['180 rows', ...paths],
  };
}

function longEnvironment(): CorpusEntry {
  const make = new Maker(304);
  const env = make.list(
    44,
    (index) => `APP_SETTING_${String(index).padStart(2, '0')}=${make.words(6).replaceAll(' ', '-')}`,
  );
  env[29] = 'APP_SETTING_29=https://billing.internal.acme.test:8443/v2/charges?dry=false';
  const labels = Object.fromEntries(make.list(26, (index) => [`com.acme.label-${index}`, make.word()]));
  return {
    name: 'an inspected container with long settings',
    kind: 'json',
    tool: shell('docker inspect billing'),
    text: JSON.stringify([
      {
        Id: make.hex(64),
        Name: '/billing',
        Args: make.list(
          16,
          (index) => `--flag-${index}=${make.words(3).replaceAll(' ', '_')}-${make.hex(20)}`,
        ),
        Config: {
          Env: env,
          Labels: labels,
          Healthcheck: { Test: ['CMD', 'curl', '-f', 'http://localhost/ready'], Interval: 30_000_000_000 },
        },
        HostConfig: {
          Binds: make.list(
            15,
            (index) =>
              `/srv/volumes/billing/${make.word()}-${index}:/var/lib/billing/${make.word()}-${index}:${index === 8 ? 'ro' : 'rw'}`,
          ),
        },
      },
    ]),
    facts: [
      'APP_SETTING_29=https://billing.internal.acme.test:8443/v2/charges?dry=false',
      ...env.map((each) => each.split('=')[0] ?? ''),
      ...Object.keys(labels),
      'http://localhost/ready',
      ':ro"',
      '--flag-9=',
    ],
  };
}

function healthLog(): CorpusEntry {
  const make = new Maker(305);
  const checks = make.list(40, (index) => ({
    name: `${make.word()}-probe`,
    url: `http://10.0.${index}.9/health`,
    interval: index === 22 ? '5m' : '10s',
    state: index === 31 ? 'draining' : 'passing',
    latencyMs: make.number(2, 20),
  }));
  return {
    name: 'health checks of services',
    kind: 'json',
    tool: call('http_get', { url: 'http://consul:8500/v1/agent/checks' }),
    text: JSON.stringify({ node: 'edge-2', datacenter: 'fra', checks }, undefined, 2),
    facts: [
      '40 rows',
      'draining',
      checks[31]?.name ?? '',
      '"5m"',
      checks[22]?.name ?? '',
      'edge-2',
      ...checks.map(({ name }) => name),
    ],
  };
}

function hookRun(): CorpusEntry {
  const make = new Maker(306);
  const names = make.list(36, () => `${make.word()} ${make.word()}`);
  const wrong = files(make, 30, 'yaml');
  return {
    name: 'a run of hooks',
    kind: 'test output',
    tool: shell('pre-commit run --all-files'),
    text: [
      ...names.map((name, index) =>
        index === 20
          ? `${`${name} `.padEnd(60, '.')}Failed\n- hook id: ${name.replace(' ', '-')}\n- exit code: 1\n- files were modified by this hook\n\n${wrong.map((file) => `Fixing ${file}`).join('\n')}\n`
          : `${`${name} `.padEnd(60, '.')}${index % 9 === 2 ? '(no files to check)Skipped' : 'Passed'}`,
      ),
    ].join('\n'),
    facts: [names[20] ?? '', 'Failed', 'files were modified by this hook', ...wrong],
  };
}

function pipTree(): CorpusEntry {
  const make = new Maker(307);
  const top = make.list(30, (index) => `${make.word()}${index}==${make.number(1, 9)}.${make.number(0, 9)}.1`);
  return {
    name: 'a tree of Python packages',
    kind: 'paths',
    tool: shell('pipdeptree'),
    text: top
      .flatMap((name) => [
        name,
        ...make.list(
          9,
          () => `├── ${make.word()} [required: >=${make.number(1, 4)}.0, installed: ${make.number(4, 6)}.1]`,
        ),
        `└── ${make.word()} [required: Any, installed: 2.0]`,
      ])
      .join('\n'),
    facts: [...top],
  };
}

function moduleGraph(): CorpusEntry {
  const make = new Maker(308);
  const top = make.list(24, (index) => `github.com/${make.word()}/${make.word()}${index}@v1.${index}.0`);
  return {
    name: 'a list of a workspace and its packages',
    kind: 'paths',
    tool: shell('pnpm list -r --depth 1'),
    text: [
      'Legend: production dependency, optional only, dev only',
      '',
      'shop@1.0.0 /work/shop',
      '',
      'dependencies:',
      ...top.flatMap((name, index) => [
        `${index === top.length - 1 ? '└─┬' : '├─┬'} ${name.slice('github.com/'.length).replace('@v', ' ')}`,
        ...make.list(
          10,
          (inner) =>
            `${index === top.length - 1 ? '  ' : '│ '}${inner === 9 ? '└──' : '├──'} ${make.word()} ${inner}.2.0`,
        ),
      ]),
    ].join('\n'),
    facts: [...top.map((name) => name.slice('github.com/'.length).replace('@v', ' ')), 'shop@1.0.0'],
  };
}

function nestedRows(): CorpusEntry {
  const make = new Maker(309);
  const rows: unknown[] = make.list(200, (index) => [
    make.time(index * 60),
    [make.number(1, 9), make.number(1, 9)],
    { unit: 'ms', host: `h${index % 5}` },
  ]);
  rows[66] = [make.time(66 * 60), [4, 900], { unit: 'ms', host: 'h1' }];
  rows[99] = [make.time(99 * 60), [2, 3], { unit: 'ms', host: 'h2', note: 'clock was set back' }];
  rows[150] = [make.time(150 * 60), null, { unit: 's', host: 'h0' }];
  return {
    name: 'rows with arrays and objects in them',
    kind: 'json',
    tool: call('query_series', { name: 'latency' }),
    text: JSON.stringify({ name: 'latency', rows }),
    facts: ['200 rows', '[4,900]', 'clock was set back', '"s"', '"latency"'],
  };
}

function podList(): CorpusEntry {
  const make = new Maker(310);
  const items = make.list(30, (index) => ({
    metadata: { name: `web-${make.hex(6)}` },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'web:3',
          env: make.list(16, (inner) => ({
            name: `E${inner}`,
            value: index === 19 && inner === 11 ? 'canary-only' : `v${inner}`,
          })),
        },
      ],
    },
    status: { phase: 'Running' },
  }));
  return {
    name: 'pods of which one has another setting',
    kind: 'json',
    tool: shell('kubectl get pods -o json'),
    text: JSON.stringify({ kind: 'List', items }),
    facts: ['30 rows', 'canary-only', items[19]?.metadata.name ?? ''],
  };
}

function proxyAccess(): CorpusEntry {
  const make = new Maker(311);
  const lines = make.list(3000, (index) => {
    const agent = make.pick([
      'Mozilla/5.0 (X11; Linux x86_64)',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_1)',
      'Googlebot/2.1',
    ]);
    const path = `/${make.pick(['blog', 'shop', 'docs', 'api/v2', 'img'])}/${make.word()}/${make.word()}-${make.number(1, 400)}${make.pick(['', '.html', '?page=2', '/edit'])}`;
    const time = `17/Mar/2025:${String(10 + Math.floor(index / 1000)).padStart(2, '0')}:${String(Math.floor(index / 17) % 60).padStart(2, '0')}:${String((index * 3) % 60).padStart(2, '0')} +0000`;
    const user = index === 2001 ? 'mallory' : '-';
    const status = index === 1402 ? 418 : make.pick([200, 200, 301, 404, 304]);
    return `${make.number(1, 223)}.${make.number(0, 255)}.${make.number(0, 255)}.${make.number(1, 254)} - ${user} [${time}] "GET ${path} HTTP/2.0" ${status} ${index === 2500 ? 734003200 : make.number(100, 90000)} "https://ref.test/${make.word()}" "${agent}"`;
  });
  const timeOf = (index: number): string => /:\d\d:\d\d:\d\d/.exec(lines[index] ?? '')?.[0] ?? '';
  return {
    name: 'a public access log',
    kind: 'log',
    tool: shell('zcat access.log.2.gz'),
    text: lines.join('\n'),
    facts: ['mallory', '" 418 ', '734003200', ...[2001, 1402, 2500].map(timeOf)],
  };
}

function unitJournal(): CorpusEntry {
  const make = new Maker(312);
  const rare: Readonly<Record<number, string>> = {
    333: 'systemd[1]: worker@7.service: Consumed 41min 7.2s CPU time.',
    334: 'systemd[1]: worker@7.service: Scheduled restart job, restart counter is at 12.',
    1400: 'systemd-timesyncd[480]: Contacted time server 192.0.2.8:123 (ntp2.acme.test).',
    1890: 'systemd-logind[590]: New seat seat7.',
  };
  const lines = make.list(2400, (index) => {
    const time = `2025-03-18T${String(4 + Math.floor(index / 600)).padStart(2, '0')}:${String(Math.floor(index / 10) % 60).padStart(2, '0')}:${String((index * 6) % 60).padStart(2, '0')}+0100`;
    const id = make.number(1, 40);
    const usual = make.pick([
      `systemd[1]: Starting worker@${id}.service - Queue worker ${id}...`,
      `systemd[1]: Started worker@${id}.service - Queue worker ${id}.`,
      `systemd[1]: worker@${id}.service: Deactivated successfully.`,
      `worker[${make.number(2000, 9000)}]: processed batch ${make.hex(8)} of ${make.number(10, 99)} jobs in ${make.number(100, 900)} ms`,
      `systemd-logind[590]: New session ${make.number(100, 999)} of user deploy.`,
    ]);
    return `${time} q-2 ${rare[index] ?? usual}`;
  });
  return {
    name: 'a journal of units',
    kind: 'log',
    tool: shell('journalctl -o short-iso --no-pager'),
    text: lines.join('\n'),
    facts: [
      ...['Consumed 41min', 'restart counter is at 12', 'ntp2.acme.test', 'New seat seat7'],
      ...[333, 334, 1400, 1890].map((index) => lines[index]?.slice(0, 19) ?? ''),
    ],
  };
}

function rankedChunks(): CorpusEntry {
  const make = new Maker(313);
  const paths = files(make, 9, 'md');
  const rows = make.list(36, (index) => ({
    id: make.hex(16),
    distance: Number((0.101 + index * 0.0173).toFixed(4)),
    metadata: { source: paths[index % 9] ?? '', chunk: index },
    text: make.words(60),
  }));
  return {
    name: 'ranked pieces of documents',
    kind: 'json',
    tool: call('vector_search', { query: 'refunds' }),
    text: JSON.stringify({ matches: rows }, undefined, 2),
    facts: ['36 rows', ...rows.map(({ distance }) => String(distance)), ...paths],
  };
}

function checkRuns(): CorpusEntry {
  const make = new Maker(314);
  const rows = make.list(45, (index) => ({
    name: `ci / ${make.pick(['unit', 'e2e', 'lint'])} (${make.word()}, node-${index})`,
    state: index === 26 ? 'FAILURE' : index === 33 ? 'ACTION_REQUIRED' : 'SUCCESS',
    link: `https://github.com/acme/shop/actions/runs/9/job/${50_000 + index}`,
    completedAt: make.time(index * 20),
  }));
  return {
    name: 'checks of a pull request as JSON',
    kind: 'json',
    tool: shell('gh pr checks 7 --json name,state,link,completedAt'),
    text: JSON.stringify(rows),
    facts: ['45 rows', 'FAILURE', '50026', 'ACTION_REQUIRED', '50033', ...rows.map(({ name }) => name)],
  };
}
