import { type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** Logs of which all lines are much alike, but for names and numbers: only what differs in another way is sought. */
export const alikeLogResults: readonly CorpusEntry[] = [
  passedClasses(),
  refreshedResources(),
  linesOfServices(),
  slowQueries(),
  searchedRules(),
];

function passedClasses(): CorpusEntry {
  const make = new Maker(421);
  const rows = make.list(130, (index) => {
    const name = `com.acme.shop.${make.word()}${index}Test`;
    const counts = `Tests run: ${make.number(2, 30)}, Failures: 0, Errors: ${index === 97 ? 1 : 0}, Skipped: 0`;
    return index === 97
      ? `[INFO] Running ${name}\n[ERROR] ${counts} <<< FAILURE! -- in ${name}\njava.lang.IllegalStateException: saga 8812 is closed\n\tat com.acme.shop.Saga.close(Saga.java:203)`
      : `[INFO] Running ${name}\n[INFO] ${counts}, Time elapsed: 0.${make.number(10, 99)} s -- in ${name}`;
  });
  return {
    name: 'classes without failures',
    kind: 'test output',
    tool: shell('mvn test'),
    text: [...rows, '[INFO] BUILD FAILURE', '[INFO] Total time:  02:11 min'].join('\n'),
    facts: [
      'saga 8812 is closed',
      'Saga.java:203',
      rows[97]?.split('\n')[1] ?? '',
      'Total time:  02:11 min',
      '[264 lines in all]',
    ],
  };
}

function refreshedResources(): CorpusEntry {
  const make = new Maker(422);
  const rows = make.list(
    140,
    () => `aws_iam_role.${make.word()}: Refreshing state... [id=${make.word()}-${make.hex(8)}]`,
  );
  const change = [
    '  # aws_db_instance.orders must be replaced',
    '-/+ resource "aws_db_instance" "orders" {',
    '      ~ engine_version = "13.9" -> "16.2" # forces replacement',
    '    }',
  ];
  return {
    name: 'the plan for many resources',
    kind: 'log',
    tool: shell('terraform plan -no-color'),
    text: [...rows, '', ...change, '', 'Plan: 1 to add, 0 to change, 1 to destroy.'].join('\n'),
    facts: [...change, 'Plan: 1 to add, 0 to change, 1 to destroy.', '[140 lines like this'],
  };
}

function linesOfServices(): CorpusEntry {
  const make = new Maker(423);
  const rows = make.list(240, (index) => {
    const at = make.time(index * 3);
    return index === 158
      ? `worker-1  | ${at} WARN  lease of shard 14 renewed 3.9s late`
      : `${make.pick(['api-1', 'web-1'])}     | ${at} INFO  request ${make.number(1000, 9000)} done in ${make.number(1, 300)}ms ${make.word()}/${make.word()}`;
  });
  return {
    name: 'lines of services that end with paths',
    kind: 'log',
    tool: shell('docker compose logs'),
    text: rows.join('\n'),
    facts: ['[240 lines in all]', rows[158] ?? ''],
  };
}

function slowQueries(): CorpusEntry {
  const make = new Maker(424);
  const rows = make.list(110, (index) => {
    const [seconds, query] =
      index === 73
        ? ['911.402233', 'SELECT * FROM lines l JOIN orders o ON LOWER(l.sku) = LOWER(o.sku);']
        : [
            `${make.number(1, 9)}.${make.number(1000, 9999)}`,
            `SELECT ${make.word()} FROM orders WHERE tenant = ${index};`,
          ];
    return `# Time: ${make.time(index * 90)}\n# User@Host: shop[shop] @  [10.0.1.${index}]  Id: ${index}\n# Query_time: ${seconds}  Rows_sent: 1\n${query}`;
  });
  return {
    name: 'slow queries of a database',
    kind: 'log',
    tool: shell('cat /var/log/mysql/slow.log'),
    text: rows.join('\n'),
    facts: ['911.402233', 'LOWER(l.sku) = LOWER(o.sku)', '[440 lines in all]'],
  };
}

function searchedRules(): CorpusEntry {
  const make = new Maker(426);
  const files = make.list(40, () => `${make.word()}-${make.word()}`);
  const lines = files.flatMap((file, index) => [
    `Considering target file '${file}'.`,
    ` Looking for an implicit rule for '${file}'.`,
    ...['.c', '.cc', '.p'].map((ending) => `  Trying implicit prerequisite '${file}${ending}'.`),
    ...(index === 27
      ? [`  Rejecting rule due to impossible prerequisite '${file}.mod'.`]
      : [` No need to remake target '${file}'.`]),
  ]);
  return {
    name: 'the search for rules of a build, which reads like prose',
    kind: 'log',
    tool: shell('make -d'),
    text: [...lines, "make: Target 'app' not remade because of errors."].join('\n'),
    facts: [
      `impossible prerequisite '${files[27]}.mod'`,
      "Target 'app' not remade because of errors.",
      '[241 lines in all]',
    ],
  };
}
