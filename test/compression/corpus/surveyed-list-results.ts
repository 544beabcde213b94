import { type CorpusEntry, Maker, shell } from './corpus-entry.js';

const FOLDERS = ['api/routes', 'api/store', 'core/ledger', 'web/widgets', 'jobs', 'tools/release'] as const;

/** Lists of files, records and logs as programs print them, labelled before any rule had seen them. */
export const surveyedListResults: readonly CorpusEntry[] = [
  nameStatus(),
  longStatus(),
  matchCounts(),
  changedLines(),
  checksumCheck(),
  moduleGraph(),
  sessionRecords(),
  packageStanzas(),
  benchmarks(),
  imageBuild(),
  shellDocuments(),
  configurations(),
];

function files(make: Maker, count: number, ending: string): string[] {
  return make.list(count, (index) => `${make.pick(FOLDERS)}/${make.word()}-${make.word()}${index}.${ending}`);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function nameStatus(): CorpusEntry {
  const make = new Maker(301);
  const changed = files(make, 420, 'kt');
  const rows = changed.map((file, index) => `${index === 217 ? 'D' : index % 5 === 0 ? 'A' : 'M'}\t${file}`);
  return {
    name: 'names and states of changed files',
    kind: 'paths',
    tool: shell('git diff --name-status v1 v2'),
    text: [...rows, 'R087\tapi/old.kt\tapi/new.kt'].join('\n'),
    facts: [rows[217] ?? '', 'R087\tapi/old.kt\tapi/new.kt', 'M (335):', ...changed.map(baseOf)],
  };
}

function longStatus(): CorpusEntry {
  const make = new Maker(302);
  const changed = files(make, 130, 'ts');
  const added = files(make, 40, 'png');
  return {
    name: 'a long status with sections',
    kind: 'paths',
    tool: shell('git status'),
    text: [
      'On branch checkout',
      "Your branch and 'origin/checkout' have diverged,",
      '',
      'Unmerged paths:',
      '\tboth modified:   core/ledger/total.ts',
      '',
      'Changes not staged for commit:',
      ...changed.map((file) => `\tmodified:   ${file}`),
      '',
      'Untracked files:',
      ...added.map((file) => `\t${file}`),
    ].join('\n'),
    facts: ['have diverged', 'both modified:   core/ledger/total.ts', ...[...changed, ...added].map(baseOf)],
  };
}

function matchCounts(): CorpusEntry {
  const make = new Maker(303);
  const searched = files(make, 380, 'go');
  const counts = searched.map((_, index) => (index === 250 ? 412 : make.number(0, 60)));
  return {
    name: 'counts of a search',
    kind: 'paths',
    tool: shell('grep -rc panic .'),
    text: searched.map((file, index) => `${file}:${counts[index] ?? 0}`).join('\n'),
    facts: ['[380 paths]', `${searched[250] ?? ''}:412`, ...searched.map(baseOf)],
  };
}

function changedLines(): CorpusEntry {
  const make = new Maker(304);
  const changed = files(make, 90, 'rs');
  const rows = changed.map(
    (file, index) => ` ${file} | ${index === 44 ? 'Bin 0 -> 9120 bytes' : `${index + 3} ++++--`}`,
  );
  return {
    name: 'changed lines by file',
    kind: 'paths',
    tool: shell('git diff --stat main'),
    text: [...rows, ' 90 files changed, 3105 insertions(+), 1553 deletions(-)'].join('\n'),
    facts: [
      ' 90 files changed, 3105 insertions(+), 1553 deletions(-)',
      `${changed[44] ?? ''} | Bin 0 -> 9120 bytes`,
      ...changed.filter((_, index) => index !== 44).map(baseOf),
    ],
  };
}

function checksumCheck(): CorpusEntry {
  const make = new Maker(305);
  const checked = files(make, 360, 'js');
  return {
    name: 'a check of checksums',
    kind: 'paths',
    tool: shell('sha256sum -c sums'),
    text: [
      ...checked.map((file, index) => `${file}: ${index === 199 ? 'FAILED' : 'OK'}`),
      'sha256sum: WARNING: 1 computed checksum did NOT match',
    ].join('\n'),
    facts: [`${checked[199] ?? ''}: FAILED`, 'OK (359):', '1 computed checksum did NOT match'],
  };
}

function moduleGraph(): CorpusEntry {
  const make = new Maker(306);
  const own = make.list(26, (index) => `example.org/${make.word()}/lib@v1.${index}.0`);
  const edges = own.flatMap((module) =>
    make.list(12, (index) => `${module} example.org/${make.word()}/${make.word()}@v0.${index}.1`),
  );
  return {
    name: 'a graph of modules',
    kind: 'paths',
    tool: shell('go mod graph'),
    text: [...own.map((module) => `example.org/shop ${module}`), ...edges].join('\n'),
    facts: ['example.org/shop (26):', ...own.map((module) => `${module} (12):`)],
  };
}

function sessionRecords(): CorpusEntry {
  const rows = Array.from({ length: 40 }, (_, index) => [
    `-[ RECORD ${index + 1} ]---+-------------------`,
    `pid              | ${7100 + index}`,
    `usename          | ${index === 31 ? 'migrator' : 'shop'}`,
    `state            | ${index === 31 ? 'idle in transaction' : 'active'}`,
    `wait_event_type  | ${index === 12 ? 'Lock' : ''}`,
  ]);
  return {
    name: 'sessions of a database, a field on each line',
    kind: 'records',
    tool: shell('psql -x -c "select * from pg_stat_activity"'),
    text: rows.flat().join('\n'),
    facts: ['40 rows', 'RECORD 32 ]', '| 7131', 'migrator', 'idle in transaction', 'RECORD 13 ]', 'Lock'],
  };
}

function packageStanzas(): CorpusEntry {
  const make = new Maker(307);
  const rows = make.list(70, (index) => [
    `Package: ${make.word()}-${index}`,
    `Status: ${index === 33 ? 'deinstall ok config-files' : 'install ok installed'}`,
    `Version: 2.${index}-1`,
    `Installed-Size: ${index === 50 ? 880_412 : 120 + index}`,
    `Description: ${make.words(4)}`,
    '',
  ]);
  return {
    name: 'packages, a field on each line',
    kind: 'records',
    tool: shell('dpkg -s'),
    text: rows.flat().join('\n'),
    facts: ['70 rows', ...(rows[33] ?? []).slice(0, 3), rows[50]?.[0] ?? '', 'Installed-Size: 880412'],
  };
}

function benchmarks(): CorpusEntry {
  const make = new Maker(308);
  const rows = make.list(70, (index) =>
    [
      `Benchmark${make.word()}${index}-8`,
      make.number(1000, 9000),
      `${index === 40 ? 8_812_331 : 200 + index} ns/op`,
    ].join('\t'),
  );
  return {
    name: 'benchmarks of a package',
    kind: 'test output',
    tool: shell('go test -bench .'),
    text: ['goos: linux', ...rows, 'PASS', 'ok  \texample.org/shop\t88.120s'].join('\n'),
    facts: ['[73 lines in all]', rows[40] ?? '', 'PASS', '88.120s'],
  };
}

function imageBuild(): CorpusEntry {
  const make = new Maker(309);
  const steps = make.list(14, (step) => [
    `#${step + 4} [build ${step + 1}/14] RUN ./${make.word()}.sh`,
    ...make.list(
      30,
      (line) => `#${step + 4} ${step}.${line} Get:${line} ${make.word()} ${line}.0 [${line * 9} kB]`,
    ),
    step === 9 ? '#13 9.99 E: Unable to locate package libquill-dev' : `#${step + 4} DONE ${step}.9s`,
  ]);
  return {
    name: 'a build of an image',
    kind: 'build output',
    tool: shell('docker build .'),
    text: [...steps.flat(), 'ERROR: failed to solve: exit code: 100'].join('\n'),
    facts: [steps[9]?.[0] ?? '', 'libquill-dev', 'exit code: 100', '[449 lines in all]'],
  };
}

function shellDocuments(): CorpusEntry {
  const make = new Maker(310);
  const rows = make.list(90, (index) => {
    const state = index === 61 ? 'quarantined' : 'A';
    return `  { _id: ObjectId('${make.hex(24)}'), qty: ${index === 37 ? -3 : make.number(1, 90)}, state: '${state}' },`;
  });
  return {
    name: 'documents in a shell',
    kind: 'log',
    tool: shell('mongosh --eval "db.items.find()"'),
    text: ['[', ...rows, ']'].join('\n'),
    facts: [rows[37] ?? '', rows[61] ?? '', '[92 lines in all]'],
  };
}

function configurations(): CorpusEntry {
  const make = new Maker(311);
  const own = make.list(15, (index) => `org.${make.word()}:core:${index}.2`);
  const tree = own.flatMap((module, index) => [
    `+--- ${module}`,
    ...make.list(
      5,
      (inner) => `|    +--- org.${make.word()}:api:1.${inner}${index === 7 && inner === 2 ? ' FAILED' : ''}`,
    ),
  ]);
  const text = ['compileClasspath', 'runtimeClasspath', 'testClasspath'].flatMap((name) => [
    `${name} - Classpath.`,
    ...tree,
    '',
  ]);
  return {
    name: 'dependencies of three class paths',
    kind: 'paths',
    tool: shell('./gradlew dependencies'),
    text: text.join('\n'),
    facts: [...own, 'FAILED', 'runtimeClasspath', 'testClasspath'],
  };
}
