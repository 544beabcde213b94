import { type CorpusEntry, Maker, shell } from './corpus-entry.js';

const REPLACED = `  # aws_db_instance.ledger must be replaced
-/+ resource "aws_db_instance" "ledger" {
      ~ engine_version           = "13.4" -> "15.2"
      ~ storage_encrypted        = false -> true # forces replacement
        # (42 unchanged attributes hidden)
    }
`;

const DESTROYED = `  # aws_s3_bucket.archive will be destroyed
  - resource "aws_s3_bucket" "archive" {
      - bucket        = "acme-archive-2019" -> null
    }
`;

const INJECTION = `src/billing/charge.py:88:5: S608 Possible SQL injection vector through string-based query
   |
87 |     table = user.table
88 |     sql = f"select * from {table} where id = {user.id}"
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ S608
89 |     return run(sql)
   |
`;

const FAILED = ` ✘ Locks account after five failures
   │
   │ Failed asserting that false is true.
   │
   │ /repo/tests/LockTest.php:51
   │`;

const COMPARISON = `[ 53%] Building CXX object CMakeFiles/core.dir/src/net/socket_pool.cpp.o
/repo/src/net/socket_pool.cpp:148:23: warning: comparison of integer expressions [-Wsign-compare]
  148 |     for (int i = 0; i < slots.size(); ++i)
      |                     ~~^~~~~~~~~~~~~~`;

const UNLINKED = `/usr/bin/ld: core.dir/src/tls/ctx.cpp.o: undefined reference to \`SSL_CTX_set_ciphersuites'
collect2: error: ld returned 1 exit status
gmake[2]: *** [CMakeFiles/core.dir/build.make:1201: bin/core] Error 1
gmake: *** [Makefile:136: all] Error 2`;

/** Plans, objects, findings, tests and matches that are alike. */
export const inspectionResults: readonly CorpusEntry[] = [
  terraformPlan(),
  kubernetesYaml(),
  ruffFull(),
  phpunitTestdox(),
  grepMatches(),
  makeBuild(),
];

function terraformPlan(): CorpusEntry {
  const make = new Maker(503);
  const blocks = make.list(90, (index) =>
    index === 61 ? REPLACED : index === 20 ? DESTROYED : updated(make, index),
  );
  return {
    name: 'a plan of changes to an infrastructure',
    kind: 'log',
    tool: shell('terraform plan -no-color'),
    text: [
      'Terraform will perform the following actions:',
      '',
      ...blocks,
      'Plan: 1 to add, 88 to change, 2 to destroy.',
    ].join('\n'),
    facts: [
      'aws_db_instance.ledger must be replaced',
      'storage_encrypted',
      'forces replacement',
      'aws_s3_bucket.archive',
      'acme-archive-2019',
      'Plan: 1 to add, 88 to change, 2 to destroy.',
    ],
  };
}

function updated(make: Maker, index: number): string {
  const name = `${make.noun()}_${index}`;
  return `  # aws_security_group_rule.${name} will be updated in-place
  ~ resource "aws_security_group_rule" "${name}" {
        id                = "sgrule-${make.number(100000, 999999)}"
      ~ tags              = {
          + "CostCentre" = "${make.number(100, 140)}"
        }
        # (9 unchanged attributes hidden)
    }
`;
}

function kubernetesYaml(): CorpusEntry {
  const make = new Maker(544);
  const items = make.list(60, (index) =>
    [
      '- apiVersion: v1',
      '  kind: ConfigMap',
      '  metadata:',
      `    name: ${make.noun()}-${make.noun()}-${index}`,
      '    namespace: shop',
      `    resourceVersion: "${make.number(100000, 999999)}"`,
      '  data:',
      `    LOG_LEVEL: ${index === 40 ? 'trace' : 'info'}`,
      `    DB_HOST: ${index === 22 ? 'db-staging.acme.test' : 'db.acme.test'}`,
      `    POOL_SIZE: "${make.number(5, 20)}"`,
    ].join('\n'),
  );
  const nameOf = (at: number) => /name: (\S+)/.exec(items[at] ?? '')?.[1] ?? '';
  return {
    name: 'objects of a cluster as YAML',
    kind: 'records',
    tool: shell('kubectl get configmap -n shop -o yaml'),
    text: ['apiVersion: v1', 'items:', ...items, 'kind: List'].join('\n'),
    facts: ['trace', 'db-staging.acme.test', nameOf(40), nameOf(22)],
  };
}

function ruffFull(): CorpusEntry {
  const make = new Maker(508);
  const findings = make.list(130, (index) => {
    const line = make.number(5, 400);
    const path = make.path('py');
    if (index === 70) {
      return { path: 'src/billing/charge.py', text: INJECTION };
    }
    const [code, message, source, help] = make.pick<readonly [string, string, string, string]>([
      [
        'F401',
        `\`${make.noun()}.${make.verb()}\` imported but unused`,
        `import ${make.noun()}`,
        'Remove unused import',
      ],
      [
        'E501',
        `Line too long (${make.number(101, 140)} > 100)`,
        `result = ${make.verb()}_${make.noun()}(${make.noun()}, ${make.noun()}, ${make.noun()})`,
        '',
      ],
      [
        'F841',
        `Local variable \`${make.noun()}\` is assigned to but never used`,
        `${make.noun()} = ${make.verb()}()`,
        'Remove assignment',
      ],
    ]);
    return {
      path,
      text: [
        `${path}:${line}:${make.number(1, 30)}: ${code} ${help ? '[*] ' : ''}${message}`,
        '   |',
        `${line - 1} | `,
        `${line} | ${source}`,
        `   | ${'^'.repeat(source.length)} ${code}`,
        `${line + 1} | `,
        '   |',
        `${help ? `   = help: ${help}\n` : ''}`,
      ].join('\n'),
    };
  });
  return {
    name: 'findings with their source',
    kind: 'diagnostics',
    tool: shell('ruff check . --output-format full'),
    text: `${findings.map(({ text }) => text).join('\n')}\nFound 130 errors.\n[*] 84 fixable with the \`--fix\` option.\n`,
    facts: [
      'src/billing/charge.py:88:5',
      'S608',
      'Found 130 errors.',
      '84 fixable',
      findings[12]?.path ?? '',
      findings[99]?.path ?? '',
    ],
  };
}

function phpunitTestdox(): CorpusEntry {
  const make = new Maker(514);
  const groups = make.list(60, (index) => {
    const tests = make.list(7, (at) => {
      if (index === 22 && at === 4) {
        return FAILED;
      }
      return index === 47 && at === 1
        ? ' ∅ Sends reminder on leap day'
        : ` ✔ ${make.verb()}s ${make.noun()} for ${make.noun()}`;
    });
    return `${make.noun()} ${make.noun()} (App\\Tests\\${make.noun()}${index})\n${tests.join('\n')}\n`;
  });
  return {
    name: 'sentences of passed tests',
    kind: 'test output',
    tool: shell('vendor/bin/phpunit --testdox'),
    text: [
      'PHPUnit 11.3.1 by Sebastian Bergmann and contributors.',
      '',
      ...groups,
      'Time: 00:07.301, Memory: 88.00 MB',
      '',
      'FAILURES!',
      'Tests: 420, Assertions: 1377, Failures: 1, Incomplete: 1.',
    ].join('\n'),
    facts: [
      'Locks account after five failures',
      '/repo/tests/LockTest.php:51',
      'Sends reminder on leap day',
      'Tests: 420, Assertions: 1377, Failures: 1',
    ],
  };
}

function grepMatches(): CorpusEntry {
  const make = new Maker(519);
  const lines = make.list(300, (index) => {
    if (index === 171) {
      return "infra/legacy/cron.pl:12:  my $t = getToken('root', 0); # never expires";
    }
    if (index % 50 === 7) {
      return `Binary file dist/${make.noun()}.wasm matches`;
    }
    return `${make.path('ts')}:${make.number(1, 400)}:  const ${make.noun()} = await getToken(${make.pick(['user', 'account', 'session'])}.id, ${make.number(1, 9) * 60});`;
  });
  const name = (at: number) => lines[at]?.split(':')[0]?.split('/').at(-1) ?? '';
  return {
    name: 'calls that are alike',
    kind: 'search',
    tool: shell('grep -rn getToken .'),
    text: lines.join('\n'),
    facts: ['infra/legacy/cron.pl', '# never expires', name(20), name(260)],
  };
}

function makeBuild(): CorpusEntry {
  const make = new Maker(520);
  const lines = make.list(400, (index) => {
    const unit = `src/${make.noun()}/${make.verb()}_${make.noun()}.cpp`;
    const head = `[${String(Math.floor(index / 4)).padStart(3)}%]`;
    if (index === 212) {
      return COMPARISON;
    }
    if (index === 399) {
      return UNLINKED;
    }
    return `${head} Building CXX object CMakeFiles/core.dir/${unit}.o`;
  });
  return {
    name: 'the progress of a build',
    kind: 'build output',
    tool: shell('cmake --build build'),
    text: ['-- Found OpenSSL: /usr/lib/libcrypto.so (found version "1.0.2k")', ...lines].join('\n'),
    facts: [
      'socket_pool.cpp:148:23',
      '-Wsign-compare',
      'SSL_CTX_set_ciphersuites',
      '1.0.2k',
      'build.make:1201',
    ],
  };
}
