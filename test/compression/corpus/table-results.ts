import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** Tables, listings, searches and lists of paths. */
export const tableResults: readonly CorpusEntry[] = [
  sales(),
  sensors(),
  markdown(),
  postgres(),
  pods(),
  containers(),
  events(),
  ripgrep(),
  grepAcrossFiles(),
  paths(),
  folderTree(),
];

function sales(): CorpusEntry {
  const make = new Maker(61);
  const rows = make.list(1500, (index) => [
    `2025-01-${String((index % 28) + 1).padStart(2, '0')}`,
    `T${50_000 + index}`,
    make.pick(['north', 'south', 'east', 'west']),
    index === 700 ? '' : make.pick(['card', 'cash']),
    index === 1111 ? '250000.00' : `${make.number(5, 200)}.${make.number(10, 99)}`,
    index === 900 ? '-3' : String(make.number(1, 6)),
  ]);
  return {
    name: 'sales as CSV',
    kind: 'table',
    tool: call('read_file', { path: 'exports/sales.csv' }),
    text: [
      ['date', 'transaction', 'region', 'method', 'amount', 'quantity'].join(','),
      ...rows.map((row) => row.join(',')),
    ].join('\n'),
    facts: [
      'date,transaction,region,method,amount,quantity',
      'T50700',
      'T51111',
      '250000.00',
      'T50900',
      ',-3',
      'T50000',
      'T51499',
      '1500 rows',
    ],
  };
}

function sensors(): CorpusEntry {
  const make = new Maker(62);
  const rows = make.list(800, (index) =>
    [
      make.time(index * 30),
      `s-${index % 12}`,
      index === 444 ? 'NaN' : (20 + make.number(0, 40) / 10).toFixed(1),
      index === 555 ? '3' : '0',
    ].join('\t'),
  );
  return {
    name: 'readings as TSV',
    kind: 'table',
    tool: call('export_readings'),
    text: ['time\tsensor\tcelsius\terrors', ...rows].join('\n'),
    facts: [
      'time\tsensor\tcelsius\terrors',
      make.time(444 * 30),
      'NaN',
      make.time(555 * 30),
      make.time(0),
      make.time(799 * 30),
      '800 rows',
    ],
  };
}

function markdown(): CorpusEntry {
  const make = new Maker(63);
  const rows = make.list(
    120,
    (index) =>
      `| ${make.word()}${index} | ${index === 50 ? 'broken' : 'ok'} | ${index === 60 ? 97.5 : make.number(10, 30) / 10} s | v${index % 3}.1.0 |`,
  );
  return {
    name: 'a Markdown table',
    kind: 'table',
    tool: call('status_report'),
    text: ['# Checks', '', '| check | state | time | version |', '|---|---|---|---|', ...rows].join('\n'),
    facts: [
      '# Checks',
      '| check | state | time | version |',
      'broken',
      rows[50]?.split('|')[1]?.trim() ?? '',
      '97.5 s',
      rows[0]?.split('|')[1]?.trim() ?? '',
      '120 rows',
    ],
  };
}

function postgres(): CorpusEntry {
  const make = new Maker(64);
  const rows = make.list(
    200,
    (index) =>
      ` ${String(index + 1).padStart(5)} | ${make.word().padEnd(12)} | ${(index === 150 ? 'suspended' : 'active').padEnd(9)} | ${String(index === 33 ? 88_000 : make.number(1, 90)).padStart(7)}`,
  );
  return {
    name: 'rows of a database',
    kind: 'table',
    tool: shell('psql -c "select * from accounts"'),
    text: [
      '    id |     name     |   state   | balance ',
      '-------+--------------+-----------+---------',
      ...rows,
      '(200 rows)',
    ].join('\n'),
    facts: [
      'id',
      'name',
      'state',
      'balance',
      'suspended',
      '151',
      '88000',
      '(200 rows)',
      rows[150]?.split('|')[1]?.trim() ?? '',
      rows[33]?.split('|')[1]?.trim() ?? '',
    ],
  };
}

function pods(): CorpusEntry {
  const make = new Maker(65);
  const names = make.list(
    90,
    (index) => `${make.pick(['api', 'worker', 'cache'])}-${make.hex(9)}-${make.word().slice(0, 3)}${index}`,
  );
  const rows = names.map(
    (name, index) =>
      `${(index % 9 === 0 ? 'batch' : 'prod').padEnd(12)}${name.padEnd(34)}${(index === 40 ? '0/1' : '1/1').padEnd(8)}${(index === 40 ? 'CrashLoopBackOff' : index === 70 ? 'ImagePullBackOff' : 'Running').padEnd(19)}${(index === 40 ? '118 (3m ago)' : '0').padEnd(14)}${index % 20}d`,
  );
  return {
    name: 'kubectl get pods',
    kind: 'table',
    tool: shell('kubectl get pods -A'),
    text: [
      'NAMESPACE   NAME                              READY   STATUS             RESTARTS      AGE',
      ...rows,
    ].join('\n'),
    facts: [
      'NAMESPACE',
      'NAME',
      'READY',
      'STATUS',
      'RESTARTS',
      'AGE',
      names[40] ?? '',
      'CrashLoopBackOff',
      '118 (3m ago)',
      names[70] ?? '',
      'ImagePullBackOff',
      'Running 88',
    ],
  };
}

function containers(): CorpusEntry {
  const make = new Maker(66);
  const rows = make.list(
    40,
    (index) =>
      `${make.hex(12)}   registry.example/app:${index % 4}.0   "/bin/app serve"   ${index + 2} hours ago   ${index === 22 ? 'Exited (137) 3 minutes ago' : 'Up 2 hours'}   0.0.0.0:${8000 + index}->80/tcp   app_${index}`,
  );
  return {
    name: 'docker ps',
    kind: 'table',
    tool: shell('docker ps -a'),
    text: [
      'CONTAINER ID   IMAGE                      COMMAND            CREATED        STATUS       PORTS                  NAMES',
      ...rows,
    ].join('\n'),
    facts: ['CONTAINER ID', 'Exited (137) 3 minutes ago', 'app_22', 'app_0', 'app_39', '40 rows'],
  };
}

function events(): CorpusEntry {
  const make = new Maker(67);
  const rows = make.list(
    150,
    (index) =>
      `${index}m    ${index === 99 ? 'Warning   FailedMount   pod/db-0         volume "data" not found' : `Normal    Pulled        pod/api-${make.hex(5)}    image already present`}`,
  );
  return {
    name: 'kubectl get events',
    kind: 'table',
    tool: shell('kubectl get events'),
    text: ['LAST SEEN   TYPE      REASON        OBJECT           MESSAGE', ...rows].join('\n'),
    facts: [
      'LAST SEEN',
      'Warning',
      'FailedMount',
      'pod/db-0',
      'volume "data" not found',
      'Pulled',
      '150 rows',
    ],
  };
}

function ripgrep(): CorpusEntry {
  const make = new Maker(68);
  const files = make.list(45, (index) => ({
    path: `src/${make.word()}/${make.word()}${index}.ts`,
    lines: make.list(
      make.number(1, 12),
      (line) =>
        `${line * 13 + 4}:    const ${make.word()} = await this.client.request(${make.word()}, ${make.word()});`,
    ),
  }));
  return {
    name: 'ripgrep under headings',
    kind: 'search',
    tool: call('grep', { pattern: 'client.request' }),
    text: files.map(({ path, lines }) => [path, ...lines].join('\n')).join('\n\n'),
    facts: [...files.map(({ path }) => path), ...files.map(({ lines }) => lines[0]?.slice(6) ?? '')],
  };
}

function grepAcrossFiles(): CorpusEntry {
  const make = new Maker(69);
  const lines = make.list(
    900,
    (index) =>
      `packages/${make.pick(['core', 'edge', 'pool', 'site'])}/lib/${make.pick(['a', 'b', 'c', 'd', 'e', 'f', 'g'])}.py:${index + 1}:    logger.info("${make.words(3)}")`,
  );
  lines[500] = 'packages/pool/lib/c.py:501:class LoggerAdapter(logging.LoggerAdapter):';
  const files = [...new Set(lines.map((line) => line.slice(0, line.indexOf(':'))))];
  return {
    name: 'nine hundred matches of grep',
    kind: 'search',
    tool: shell('grep -rn logger packages'),
    text: lines.join('\n'),
    facts: [
      ...files,
      ...files.map((file) => `${lines.filter((line) => line.startsWith(`${file}:`)).length} matches`),
      '900 matches',
      'class LoggerAdapter(logging.LoggerAdapter):',
    ],
  };
}

function paths(): CorpusEntry {
  const make = new Maker(70);
  const folders = make.list(30, () => `services/${make.word()}/src/${make.word()}`);
  const files = folders.flatMap((folder) =>
    make.list(make.number(4, 16), (index) => `${folder}/${make.word()}${index}.go`),
  );
  return {
    name: 'paths of a project',
    kind: 'paths',
    tool: call('glob', { pattern: '**/*.go' }),
    text: files.join('\n'),
    facts: [
      ...new Set(folders),
      ...files.map((file) => file.slice(file.lastIndexOf('/') + 1)),
      `${files.length} paths`,
    ],
  };
}

function folderTree(): CorpusEntry {
  const make = new Maker(71);
  const names: string[] = [];
  const name = (ending: string): string => {
    const made = `${make.word()}${ending}`;
    names.push(made);
    return made;
  };
  const lines = make.list(25, () => {
    const files = make.list(8, (index) => `│   │   ${index === 7 ? '└──' : '├──'} ${name('.tsx')}`);
    return [`│   ├── ${name('')}`, ...files];
  });
  return {
    name: 'a tree of folders',
    kind: 'paths',
    tool: shell('tree app'),
    text: ['app', '├── src', ...lines.flat(), '└── README.md', '', '26 directories, 201 files'].join('\n'),
    facts: [...names, 'README.md', '26 directories, 201 files'],
  };
}
