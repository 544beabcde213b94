import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** Runs of tests, requests and cards, of which one is odd. */
export const suiteResults: readonly CorpusEntry[] = [
  lintWithinBuild(),
  surefireClasses(),
  exUnitSuites(),
  requestLog(),
  contactCards(),
  indexSizes(),
];

function lintWithinBuild(): CorpusEntry {
  const make = new Maker(905);
  const bundled = make.list(60, () => `bundled ${make.path('js')} in ${make.number(3, 90)} ms`);
  const findings = make.list(90, (index) => {
    const what = index === 41 ? 'duplication of key "port"' : `too many spaces inside ${make.noun()}`;
    return `deploy/${make.noun()}.yml:${index + 3}:${make.number(1, 80)}: [error] ${what}`;
  });
  const tests = make.list(70, () => `ok ${make.number(1, 70)} - ${make.verb()}s ${make.noun()}`);
  return {
    name: 'findings between a build and its tests',
    kind: 'build output',
    tool: shell('make all'),
    text: [
      ...[...bundled, 'warning: ledger.js is larger than 244 KiB', ...findings, '', '90 problems'],
      ...[...tests, 'not ok 71 - refunds twice', '# fail 1'],
    ].join('\n'),
    facts: [
      ...['ledger.js is larger than 244 KiB', 'duplication of key "port"', ':44:', '90 problems'],
      ...['not ok 71 - refunds twice', '# fail 1'],
    ],
  };
}

function surefireClasses(): CorpusEntry {
  const make = new Maker(708);
  const failed = [
    '[ERROR] Tests run: 14, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 3.1 s <<< FAILURE! -- in shop.LedgerTest',
    '[ERROR] shop.LedgerTest.roundsHalfEven -- Time elapsed: 0.02 s <<< FAILURE!',
    'org.opentest4j.AssertionFailedError: expected: <2.5> but was: <2.6>',
  ];
  const lines = make.list(300, (index) => {
    if (index === 222) {
      return '[WARNING] /repo/core/src/main/java/shop/Fx.java:[71,18] [removal] finalize() has been deprecated';
    }
    const time = index === 120 ? '88.1' : `0.${make.number(10, 99)}`;
    const passed = `Failures: 0, Errors: 0, Skipped: 0, Time elapsed: ${time} s -- in shop.${make.noun()}.${make.verb()}Test`;
    return index % 3 === 0
      ? `[INFO] Tests run: ${make.number(1, 30)}, ${passed}`
      : `[INFO] Compiling ${make.number(1, 90)} source files with javac to target/classes`;
  });
  return {
    name: 'classes of tests in a build',
    kind: 'build output',
    tool: shell('mvn verify'),
    text: [...lines, ...failed, '[ERROR] Tests run: 902, Failures: 1, Errors: 0, Skipped: 3'].join('\n'),
    facts: [
      'Fx.java:[71,18]',
      '88.1 s',
      'LedgerTest.roundsHalfEven',
      '<2.5> but was: <2.6>',
      'Tests run: 902',
    ],
  };
}

function exUnitSuites(): CorpusEntry {
  const make = new Maker(902);
  const suites = make.list(40, (suite) => {
    const tests = make.list(8, (test) =>
      suite === 22 && test === 3
        ? '  * test refunds twice (12.4ms) [L#88]\n\n  1) test refunds twice (Shop.RefundTest)\n     test/refund_test.exs:88\n     right: :error\n'
        : `  * test ${make.verb()}s ${make.noun()} (${make.number(0, 9)}.1ms) [L#${make.number(1, 99)}]`,
    );
    return `Shop.${make.noun()}${suite}Test [test/${make.noun()}_test.exs]\n${tests.join('\n')}\n`;
  });
  return {
    name: 'suites with bullets',
    kind: 'test output',
    tool: shell('mix test --trace'),
    text: [...suites, '320 tests, 1 failure, 1 excluded'].join('\n'),
    facts: ['refunds twice', 'test/refund_test.exs:88', 'right: :error', '320 tests, 1 failure, 1 excluded'],
  };
}

function requestLog(): CorpusEntry {
  const make = new Maker(817);
  const requests = make.list(140, (index) => {
    const time = new Date(30_000_000 + index * 5000).toISOString().slice(11, 19);
    return [
      `Started ${index === 77 ? 'DELETE' : 'GET'} "/${make.noun()}/${make.number(1, 99)}" at 2025-03-10 ${time}`,
      `Processing by ${make.noun()}Controller#${make.verb()} as HTML`,
      `  ${make.noun()} Load (${make.number(0, 9)}.1ms)  SELECT * FROM ${make.noun()}s WHERE id = ${make.number(1, 99)}`,
      `Completed ${index === 101 ? '422 Unprocessable' : '200 OK'} in ${index === 50 ? 19211 : make.number(5, 90)}ms`,
      '',
    ].join('\n');
  });
  return {
    name: 'requests with their queries',
    kind: 'log',
    tool: shell('tail log/production.log'),
    text: requests.join('\n'),
    facts: ['Started DELETE', '422 Unprocessable', '19211ms', '08:26:25'],
  };
}

function contactCards(): CorpusEntry {
  const make = new Maker(920);
  const cards = make.list(90, (index) =>
    [
      'BEGIN:VCARD',
      `FN:${make.word()} ${index}`,
      `ORG:${index === 50 ? 'Regulator' : 'Acme'}`,
      `TEL;TYPE=WORK:+49 30 ${make.number(100000, 900000)}`,
      ...(index === 70 ? ['NOTE:left the company 2025-01-31'] : []),
      'END:VCARD',
    ].join('\n'),
  );
  return {
    name: 'cards of contacts',
    kind: 'records',
    tool: call('contacts_export', {}),
    text: cards.join('\n'),
    facts: ['Regulator', 'left the company 2025-01-31', ' 50', ' 70', '90 rows'],
  };
}

function indexSizes(): CorpusEntry {
  const make = new Maker(722);
  const rows = make.list(160, (index) =>
    [
      index === 77 ? 'red  ' : 'green',
      index === 12 ? 'close' : 'open ',
      `logs-2025.0${make.number(1, 3)}-${String(index).padEnd(4)}`,
      make.hex(22),
      '5 1',
      String(make.number(1000, 900000)).padStart(9),
      `${index === 130 ? '912.4gb' : `${make.number(10, 900)}.${make.number(0, 9)}mb`}`,
    ].join(' '),
  );
  return {
    name: 'indexes of a search engine',
    kind: 'log',
    tool: shell('curl -s search:9200/_cat/indices'),
    text: rows.join('\n'),
    facts: ['red', 'close', '912.4gb', 'logs-2025'],
  };
}
