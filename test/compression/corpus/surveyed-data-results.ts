import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** JSON and tables as programs print them, labelled before any rule had seen them. */
export const surveyedDataResults: readonly CorpusEntry[] = [
  findingsByFile(),
  sarifReport(),
  formatReport(),
  rangeOfMetrics(),
  suitesOfTests(),
  eventsOfTests(),
  cellsOfQuery(),
  packageSearch(),
  columnsWithRuler(),
  settingsOfDatabase(),
  issuesOfTracker(),
];

function findingsByFile(): CorpusEntry {
  const make = new Maker(321);
  const paths = make.list(44, (index) => `/srv/shop/app/${make.word()}/${make.word()}${index}.php`);
  const one = (line: number): object => ({ message: 'Method has no return type.', line, ignorable: true });
  const entries = paths.map((path, index): [string, object] => [
    path,
    {
      errors: 1,
      messages: index === 19 ? [{ message: 'Undefined method flush().', line: 8 }] : [one(index)],
    },
  ]);
  return {
    name: 'findings in a dictionary of files',
    kind: 'json',
    tool: shell('phpstan analyse --error-format=json'),
    text: JSON.stringify({ totals: { file_errors: 44 }, files: Object.fromEntries(entries), errors: [] }),
    facts: [
      '"file_errors":44',
      'Undefined method flush().',
      '44 rows',
      ...paths.map((path) => path.slice(14)),
    ],
  };
}

function sarifReport(): CorpusEntry {
  const make = new Maker(322);
  const uris = make.list(21, (index) => `src/${make.word()}/${make.word()}${index}.js`);
  const results = make.list(96, (index) => ({
    ruleId: index === 52 ? 'js/sql-injection' : 'js/unused-local',
    level: index === 52 ? 'error' : 'note',
    message: { text: index === 52 ? 'Query from user input.' : `Unused ${make.word()}.` },
    locations: [
      { physicalLocation: { artifactLocation: { uri: uris[index % 21] }, region: { startLine: index + 9 } } },
    ],
  }));
  return {
    name: 'a report in SARIF',
    kind: 'json',
    tool: shell('codeql database analyze --format=sarif-latest --output=- db'),
    text: JSON.stringify({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'CodeQL', version: '2.17.1' } }, results }],
    }),
    facts: [
      '96 rows',
      'js/sql-injection',
      `"uri":"${uris[52 % 21] ?? ''}"},"region":{"startLine":61}`,
      ...uris,
    ],
  };
}

function formatReport(): CorpusEntry {
  const make = new Maker(323);
  const rows = make.list(40, (index) => ({
    source: `styles/${make.word()}/${make.word()}${index}.scss`,
    errored: index === 22,
    warnings:
      index === 22 ? [{ line: 31, rule: 'no-duplicate-selectors', text: 'Unexpected duplicate' }] : [],
    deprecations: [],
    invalidOptionWarnings: [],
    parseErrors: [],
  }));
  return {
    name: 'a report with a row for each file',
    kind: 'json',
    tool: shell('npx stylelint -f json "styles/**"'),
    text: JSON.stringify(rows),
    facts: [
      '40 rows',
      `"source":"${rows[22]?.source ?? ''}","errored":true`,
      'no-duplicate-selectors',
      ...rows.map(({ source }) => source),
    ],
  };
}

function rangeOfMetrics(): CorpusEntry {
  const make = new Maker(324);
  const pods = make.list(15, (index) => `${make.word()}-${index}`);
  const result = pods.map((pod, row) => ({
    metric: { __name__: 'latency_seconds', pod },
    values: make.list(120, (at) => [
      1_747_036_800 + at * 30,
      row === 9 && at === 71 ? '8.442' : `0.0${make.number(10, 40)}`,
    ]),
  }));
  return {
    name: 'metrics over time, with one peak',
    kind: 'json',
    tool: shell('curl -s prometheus/api/v1/query_range'),
    text: JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } }),
    facts: ['15 rows', '[1747038930,"8.442"]', ...pods],
  };
}

function suitesOfTests(): CorpusEntry {
  const make = new Maker(325);
  const suites = make.list(18, (suite) => ({
    name: `/w/test/${make.word()}${suite}.test.ts`,
    status: suite === 13 ? 'failed' : 'passed',
    assertionResults: make.list(40, (test) => ({
      title: make.words(3),
      status: suite === 13 && test === 33 ? 'failed' : suite === 6 && test === 35 ? 'pending' : 'passed',
      failureMessages: suite === 13 && test === 33 ? ['Expected: 3, received: 4 (a.test.ts:88:5)'] : [],
    })),
  }));
  return {
    name: 'suites of tests, each with many tests',
    kind: 'json',
    tool: shell('npx jest --json'),
    text: JSON.stringify({ numFailedTests: 1, numTotalTests: 720, testResults: suites }),
    facts: ['"numFailedTests":1', '18 rows', 'a.test.ts:88:5', 'pending', ...suites.map(({ name }) => name)],
  };
}

function eventsOfTests(): CorpusEntry {
  const rows = Array.from({ length: 80 }, (_, index) => {
    const event = { Package: 'example.org/shop', Test: `TestCase${index}` };
    const output = (text: string): object => ({ Action: 'output', ...event, Output: text });
    return [
      { Action: 'run', ...event },
      output(`=== RUN   TestCase${index}\n`),
      ...(index === 51 ? [output('    shop_test.go:41: got 41, want 42\n')] : []),
      output(`--- ${index === 51 ? 'FAIL' : 'PASS'}: TestCase${index} (0.00s)\n`),
      { Action: index === 51 ? 'fail' : 'pass', ...event, Elapsed: 0 },
    ];
  }).flat();
  return {
    name: 'events of a test run',
    kind: 'json lines',
    tool: shell('go test -json ./...'),
    text: rows.map((row) => JSON.stringify(row)).join('\n'),
    facts: ['321 rows', 'shop_test.go:41: got 41, want 42', '"Action":"fail"'],
  };
}

function cellsOfQuery(): CorpusEntry {
  const make = new Maker(326);
  const rows = make.list(170, (index) => ({
    f: [
      { v: String(2000 + index) },
      { v: index === 88 ? null : String(make.number(10, 90)) },
      { v: index === 131 ? 'CHARGEBACK' : 'SALE' },
    ],
  }));
  return {
    name: 'cells of a query, an object for each',
    kind: 'json',
    tool: call('run_query', { sql: 'select id, amount, kind from sales' }),
    text: JSON.stringify({ totalRows: '170', rows }),
    facts: ['"totalRows":"170"', '170 rows', JSON.stringify(rows[88]), JSON.stringify(rows[131])],
  };
}

function packageSearch(): CorpusEntry {
  const make = new Maker(327);
  const objects = make.list(50, (index) => ({
    package: { name: `${make.word()}-${make.word()}`, version: `1.${index}.0`, description: make.words(6) },
    score: { final: Number((0.96 - index / 80).toFixed(3)), detail: { quality: 0.9, popularity: 0.5 } },
  }));
  return {
    name: 'packages by score',
    kind: 'json',
    tool: shell('npm search --json cart'),
    text: JSON.stringify({ objects, total: 50 }),
    facts: objects.map(({ package: { name }, score }) => `"${name}" ${score.final}`),
  };
}

function columnsWithRuler(): CorpusEntry {
  const rows = Array.from(
    { length: 260 },
    (_, index) =>
      `${String(index).padEnd(5)}  n${String(index).padEnd(6)}  ${index === 77 ? 'void' : index % 2 ? 'paid' : 'open'}`,
  );
  return {
    name: 'columns with small names and a ruler',
    kind: 'table',
    tool: shell('sqlite3 -header -column shop.db "select * from orders"'),
    text: ['id     name     state', '-----  -------  -----', ...rows].join('\n'),
    facts: ['260 rows', 'n77  void', 'open', 'paid'],
  };
}

function settingsOfDatabase(): CorpusEntry {
  const make = new Maker(328);
  const rows = make.list(240, (index) => {
    const value = index === 111 ? 'off' : index % 2 ? 'on' : String(index * 8);
    return ` ${`${make.word()}_${make.word()}_${index}`.padEnd(30)} | ${value.padEnd(7)} | ${make.words(4)}`;
  });
  return {
    name: 'settings of a database',
    kind: 'table',
    tool: shell('psql -c "show all"'),
    text: [
      `              name              | setting | description`,
      `--------------------------------+---------+------------`,
      ...rows,
      '(240 rows)',
    ].join('\n'),
    facts: ['(240 rows)', `_111`, '| off'],
  };
}

function issuesOfTracker(): CorpusEntry {
  const make = new Maker(351);
  const titles = make.list(40, (index) => `${make.pick(['Refund', 'Invoice'])} fails ${index * 3}`);
  const issues = titles.map((summary, index) => ({
    id: String(10_300 + index),
    self: `https://shop.example/rest/api/3/issue/${10_300 + index}`,
    key: `PAY-${412 - index}`,
    fields: {
      summary,
      description: make.words(60),
      status: { name: index === 21 ? 'Blocked' : 'Open' },
      assignee: { displayName: `${make.word()} ${make.word()}` },
    },
  }));
  return {
    name: 'issues of a tracker',
    kind: 'json',
    tool: call('jira_search', { jql: 'project = PAY' }),
    text: JSON.stringify({ total: 217, issues }, null, 2),
    facts: ['"total": 217', '40 rows', 'Blocked', ...titles, ...issues.map(({ key }) => key)],
  };
}
