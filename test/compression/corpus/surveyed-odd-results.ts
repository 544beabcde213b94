import { type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** Results in which one row or line is odd in a way that the others do not prepare for. */
export const surveyedOddResults: readonly CorpusEntry[] = [
  containers(),
  stoppedContainers(),
  taggedInstances(),
  codedFindings(),
  linesOfJobs(),
  foundFiles(),
  storedObjects(),
  packedFiles(),
  skippedCase(),
  licences(),
  sharedLibraries(),
];

function containers(): CorpusEntry {
  const make = new Maker(341);
  const names = make.list(34, () => `${make.word()}-${make.word()}`);
  const rows = names.map((name, index) =>
    [
      make.hex(12),
      `reg/${name}:2`,
      (index === 19 ? 'Exited (137) 4 minutes ago' : 'Up 3 days').padEnd(26),
      (index === 27 ? '0.0.0.0:22->22/tcp' : `127.0.0.1:${9000 + index}->80/tcp`).padEnd(26),
      name,
    ].join('   '),
  );
  return {
    name: 'containers, one of them open to all',
    kind: 'table',
    tool: shell('docker ps -a'),
    text: ['CONTAINER ID   IMAGE   STATUS   PORTS   NAMES', ...rows].join('\n'),
    facts: ['34 rows', 'Exited (137)', '0.0.0.0:22->22/tcp', ...names],
  };
}

function stoppedContainers(): CorpusEntry {
  const make = new Maker(343);
  const rows = make.list(40, (index) => {
    const status = index % 4 === 1 ? `Exited (${index === 21 ? 137 : 0}) 5 minutes ago` : 'Up 3 days';
    const ports = index % 4 === 1 ? '' : `127.0.0.1:${9000 + index}->80/tcp`;
    return [make.hex(12), status.padEnd(27), ports.padEnd(22), `shop-${index}`].join('   ');
  });
  return {
    name: 'containers, some of them without ports',
    kind: 'table',
    tool: shell('docker ps -a'),
    text: [['CONTAINER ID', 'STATUS'.padEnd(27), 'PORTS'.padEnd(22), 'NAMES'].join('   '), ...rows].join(
      '\n',
    ),
    facts: [
      '40 rows',
      'Exited (137) 5 minutes ago',
      'Up 3 days 30',
      'Exited (0) 5 minutes ago 9',
      'empty 10',
    ],
  };
}

function taggedInstances(): CorpusEntry {
  const make = new Maker(342);
  const instances = make.list(30, (index) => ({
    InstanceId: `i-${make.hex(17)}`,
    State: { Name: index === 20 ? 'stopped' : 'running' },
    Tags: [
      { Key: 'Name', Value: `${make.word()}-srv` },
      { Key: 'env', Value: index === 25 ? 'staging' : 'prod' },
    ],
  }));
  return {
    name: 'instances with tags',
    kind: 'json',
    tool: shell('aws ec2 describe-instances'),
    text: JSON.stringify({ Instances: instances }, null, 4),
    facts: ['30 rows', 'stopped', 'staging', instances[25]?.InstanceId ?? '', '"prod" 29'],
  };
}

function codedFindings(): CorpusEntry {
  const make = new Maker(343);
  const places = make.list(80, (index) => `app/${make.word()}/${make.word()}${index}.py:${index + 3}:80:`);
  return {
    name: 'findings with codes',
    kind: 'diagnostics',
    tool: shell('flake8'),
    text: places
      .map((place, index) => `${place} ${index === 50 ? 'F821 undefined name x' : 'E501 line too long'}`)
      .join('\n'),
    facts: [
      '[80 findings',
      `${places[50] ?? ''} F821 undefined name x`,
      ...places.map((place) => place.slice(0, -1)),
    ],
  };
}

function linesOfJobs(): CorpusEntry {
  const make = new Maker(344);
  const rows = make.list(900, (index) => {
    const time = make.time(index).replace('Z', '123Z');
    const said =
      index === 611
        ? '##[warning]The runner is old'
        : index === 870
          ? '##[error]Exit code 2.'
          : `added ${make.word()}`;
    return `build\t${index < 450 ? 'Install' : 'Test'}\t${time} ${said}`;
  });
  return {
    name: 'the log of a run with its jobs and steps',
    kind: 'log',
    tool: shell('gh run view 9 --log'),
    text: rows.join('\n'),
    facts: ['[900 lines in all]', rows[611] ?? '', rows[870] ?? ''],
  };
}

function foundFiles(): CorpusEntry {
  const make = new Maker(345);
  const paths = make.list(150, (index) => `lib/${make.word()}/${make.word()}${index}.rb`);
  const rows = paths.map(
    (path, index) =>
      ` ${900_000 + index}      8 ${index === 70 ? '-rwsr-xr-x' : '-rw-r--r--'}   1 ada      ada      ${index === 33 ? 8_812_331 : 400 + index} May 12 08:00 ${path}`,
  );
  return {
    name: 'files that were found, with their inodes',
    kind: 'listing',
    tool: shell('find lib -type f -ls'),
    text: rows.join('\n'),
    facts: [
      '[150 entries',
      '8812331',
      '-rwsr-xr-x',
      ...paths.map((path) => path.slice(path.lastIndexOf('/') + 1)),
    ],
  };
}

function storedObjects(): CorpusEntry {
  const make = new Maker(346);
  const rows = make.list(400, (index) => {
    const size = index === 321 ? 0 : make.number(1000, 90_000);
    return `2025-05-12 10:00:11 ${String(size).padStart(10)} backups/${make.word()}/${make.word()}.sql.gz`;
  });
  return {
    name: 'stored objects, one of them empty',
    kind: 'log',
    tool: shell('aws s3 ls s3://b --recursive --summarize'),
    text: [...rows, '', 'Total Objects: 400'].join('\n'),
    facts: [rows[321] ?? '', 'Total Objects: 400'],
  };
}

function packedFiles(): CorpusEntry {
  const make = new Maker(347);
  const rows = make.list(220, (index) => {
    const name = `app/${make.word()}/${make.word()}.${index === 140 ? 'exe' : 'js'}`;
    return `${String(make.number(100, 9000)).padStart(9)}  2025-05-12 10:00   ${name}`;
  });
  return {
    name: 'files in an archive',
    kind: 'table',
    tool: shell('unzip -l app.zip'),
    text: [
      'Archive:  app.zip',
      '  Length      Date    Time    Name',
      '---------  ---------- -----   ----',
      ...rows,
      '---------                     -------',
      '   812331                     220 files',
    ].join('\n'),
    facts: ['Archive:  app.zip', '.exe', '220 files'],
  };
}

function skippedCase(): CorpusEntry {
  const make = new Maker(348);
  const names = make.list(120, (index) => `${make.words(2)} ${index}`);
  const cases = names.map(
    (name, index) =>
      `<testcase classname="shop.CartTest" name="${name}" time="0.0${make.number(1, 9)}">${index === 77 ? '<skipped/>' : ''}</testcase>`,
  );
  return {
    name: 'a suite with a skipped test',
    kind: 'xml',
    tool: shell('cat build/test-results/TEST-shop.xml'),
    text: `<?xml version="1.0"?>\n<testsuite tests="120" skipped="1">\n${cases.join('\n')}\n</testsuite>`,
    facts: ['tests="120" skipped="1"', `name="${names[77] ?? ''}"`, '<skipped/>', '120 rows'],
  };
}

function licences(): CorpusEntry {
  const make = new Maker(531);
  const rows = make.list(320, (index) => {
    const name = `${make.word()}${index}`;
    const license = index === 177 ? 'LGPL-3.0-or-later' : make.pick(['MIT', 'MIT', 'ISC']);
    return `├─ ${name}@${make.number(1, 9)}.${index}.0\n│  ├─ licenses: ${license}\n│  ├─ repository: https://git.example/${make.word()}/${name}\n│  └─ path: /app/node_modules/${name}`;
  });
  return {
    name: 'licences of packages',
    kind: 'log',
    tool: shell('npx license-checker'),
    text: rows.join('\n'),
    facts: ['[1280 lines in all]', 'LGPL-3.0-or-later', rows[177]?.split('\n')[0] ?? ''],
  };
}

function sharedLibraries(): CorpusEntry {
  const make = new Maker(532);
  const found = (name: string): string =>
    `\t${name}.so.${make.number(1, 9)} => /lib/x86_64-linux-gnu/${name}.so (0x00007f${make.hex(10)})`;
  const blocks = make.list(60, (index) => [
    `/usr/lib/app/lib${make.word()}${index}.so:`,
    ...make.list(5, () => found(`lib${make.word()}`)),
    ...(index === 41 ? ['\tlibssl.so.1.1 => not found'] : []),
  ]);
  return {
    name: 'libraries of libraries',
    kind: 'log',
    tool: shell('ldd /usr/lib/app/*.so'),
    text: blocks.flat().join('\n'),
    facts: ['[361 lines in all]', 'libssl.so.1.1 => not found', blocks[41]?.[0] ?? ''],
  };
}
