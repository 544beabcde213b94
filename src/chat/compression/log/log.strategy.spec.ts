import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { logStrategy } from './log.strategy.js';

const condense = (text: string, name = 'bash'): string | undefined =>
  logStrategy.condense(text, strategyContext(name, { command: './run' }));

const time = (second: number): string =>
  `2025-01-01T10:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}Z`;

describe('logStrategy', () => {
  it('keeps the line that a rare one belongs to', () => {
    const packages = range(1, 60).map((number) => [
      `├─ lib${number}@1.${number}.0`,
      `│  ├─ license: ${number === 31 ? 'PSF-2.0' : 'MIT'}`,
      `│  └─ path: /app/node_modules/lib${number}`,
    ]);
    expect(condense(packages.flat().join('\n'))).toContain('├─ lib31@1.31.0\n│  ├─ license: PSF-2.0');
  });

  it('keeps each finding of a linter with its place, and the source of the first ones', () => {
    const said = range(1, 30).map((number) =>
      number === 17 ? 'B904 Raise with a cause' : `PLR0913 Too many arguments (${number + 5} > 5)`,
    );
    const place = (number: number): string => `  --> app/part${number}.py:${number * 7}:9`;
    const blocks = said.map((text, index) => [
      text,
      place(index),
      '   |',
      `${index * 7} |     def send(`,
      '   |         ^^^^',
      `help: Rename ${index}`,
      '',
    ]);
    const short = condense(blocks.flat().join('\n')) ?? '';
    said.forEach((text, index) => expect(short).toContain(`${text}\n${place(index)}`));
    expect(short).toContain('28 |     def send(');
    expect(short).not.toContain('98 |     def send(');
  });

  it('keeps many headings only if they differ, numbers aside', () => {
    const block = (heading: string): string[] => [heading, '    at wait (pool.ts:4)', ''];
    const names = range(0, 79).map((at) => `${'abcdefghij'.charAt(at % 10)}${'klmnopqr'.charAt(at / 10)}y`);
    const short = (heading: (at: number) => string): string =>
      condense(
        range(0, 79)
          .flatMap((at) => block(heading(at)))
          .join('\n'),
      ) ?? '';
    expect(short((at) => `"worker-${at}" waiting since 0x${at}a`)).not.toContain('worker-40');
    expect(short((at) => `"worker-${names[at]}" waiting since 0x${at}a`)).toContain('worker-ao');
  });

  it('keeps the source of errors behind many warnings', () => {
    const block = (said: string, line: number): string[] => [
      said,
      `  --> src/part${line}.rs:${line}:9`,
      '   |',
      `${line} |     let value${line} = 1;`,
      '   |         ^^^^^',
      '',
    ];
    const warnings = range(10, 39).flatMap((line) => block(`warning: unused variable: ` + '`v`', line));
    const error = block('error[E0308]: mismatched types', 77);
    const end = ['error: could not compile `shop` due to 1 previous error; 30 warnings emitted'];
    const short = condense([...warnings, ...error, ...end].join('\n')) ?? '';
    expect(short).toContain(error.slice(0, 4).join('\n'));
    expect(short).not.toContain('let value30');
  });

  it('shows repeated lines once with their number, and errors with their context', () => {
    const lines = range(0, 199).flatMap((second) => [
      `${time(second)} INFO GET /users/${second} 200 in ${second % 7} ms`,
      ...(second === 100
        ? [
            `${time(100)} ERROR no connection to db-1:5432`,
            '    at connect (src/db.ts:42:7)',
            '    at run (src/a.ts:3:1)',
          ]
        : []),
    ]);
    expect(condense(lines.join('\n'))).toBe(
      [
        '[203 lines in all]',
        `${lines[0]} [200 lines like this]`,
        lines[1],
        lines[2],
        '[… 97 lines omitted]',
        ...lines.slice(100, 104),
        '[… 93 lines omitted]',
        ...lines.slice(-6),
      ].join('\n'),
    );
  });

  it('shows rare values and outliers', () => {
    const lines = range(1, 300).map((number) => {
      const status = number === 150 ? 404 : 200;
      return `10.0.0.1 - - [01/Jan/2025] "GET /p/${number} HTTP/1.1" ${status} ${number === 180 ? 9_000_000 : 1000 + ((number * 7) % 500)}`;
    });
    const condensed = condense(lines.join('\n')) ?? '';
    expect(condensed).toContain(lines[149]);
    expect(condensed).toContain(lines[179]);
    expect(condensed.split('\n').length).toBeLessThan(20);
  });

  it('shows the one value of another form or in another folder among many', () => {
    const lines = range(1, 900).map((number) => {
      const path = number === 300 ? '/.env' : number === 600 ? '/admin/x9/all' : `/shop/x${number}/item`;
      const from = number === 450 ? '203.0.113.7' : `10.0.${number % 9}.${number % 250}`;
      return `${from} - - [01/Jan/2025] "GET ${path} HTTP/1.1" 200 ${1000 + ((number * 7) % 500)}`;
    });
    const condensed = condense(lines.join('\n')) ?? '';
    for (const number of [300, 450, 600]) {
      expect(condensed).toContain(lines[number - 1]);
    }
    expect(condensed).toContain('[900 lines like this]');
    expect(condensed.split('\n').length).toBeLessThan(30);
  });

  it('shows rare lines anywhere in a long log, but not the lines behind them', () => {
    const lines = range(1, 6000).map((number) => {
      const status = number === 5000 ? 404 : number === 5500 || number === 5600 ? 502 : 200;
      return `10.0.0.1 - - [01/Jan/2025] "GET /p/${number} HTTP/1.1" ${status} ${1000 + ((number * 7) % 500)}`;
    });
    const condensed = condense(lines.join('\n')) ?? '';
    expect(condensed).toContain(lines[4999]);
    expect(condensed).toContain(lines[5499]);
    expect(condensed).toContain(lines[5599]);
    expect(condensed.split('\n').length).toBeLessThan(40);
  });

  const files = 'api queue mail pool clock store page user chart token'
    .split(' ')
    .flatMap((folder) => ['index', 'model', 'view', 'rules'].map((name) => `src/${folder}/${name}.ts`));

  it.each([
    ['a status', (file: string) => `\tmodified:   ${file}`],
    ['a short status', (file: string) => ` M ${file}`],
    [
      'changes by file',
      (file: string, index: number) => ` ${file} | ${index} ${'+'.repeat((index % 5) + 1)}-`,
    ],
    ['sizes', (file: string, index: number) => `  ${index * 31} ${file}`],
    ['an archive', (file: string, index: number) => `-rw-r--r-- a/b  ${index} 2025-01-01 10:00 ${file}`],
  ])('keeps each file that is named in %s', (_name, line) => {
    const text = files.map(line).join('\n');
    expect(condense(`A list of them:\n${text}\nThat is all.`)).toContain(text);
  });

  it.each([
    ['with times', (file: string, index: number) => `${time(index)} INFO compiled ${file}`],
    [
      'of a build',
      (file: string, index: number) => `[${String(index * 2).padStart(3)}%] Building CXX object ${file}`,
    ],
    ['of a build that counts', (file: string, index: number) => `[${index}/40] CC ${file}`],
    ['that are numbered', (_file: string, index: number) => `wrote out/part-${index}.bin`],
    ['that begin with a name', (_file: string, index: number) => `job-${index} has ended in ${index} ms`],
    ['that are addresses', (file: string) => `fetched https://a.example/${file}`],
  ])('counts lines %s', (_name, line) => {
    expect(condense(files.map(line).join('\n'))?.split('\n').length).toBeLessThan(14);
  });

  it('counts lines for debugging that speak of errors and warnings', () => {
    const names = 'oak elm fir ash yew bay box gum ivy fig nut rye'.split(' ');
    const lines = range(1, 200).map(
      (number) =>
        `${time(number)} DEBUG evict ${names[number % 12]}-leaf of ${names[number % 11]}-tree after timeout`,
    );
    expect(condense(lines.join('\n'))?.split('\n').length).toBeLessThan(30);
  });

  it('shows a finding that comes again in the same place once', () => {
    const warning = '  lib/dateutil/tz.py:37: DeprecationWarning: utcfromtimestamp() is deprecated';
    const other = '  src/auth.py:77: ResourceWarning: unclosed socket';
    const lines = range(1, 40).flatMap((number) => [`call ${number}`, number === 30 ? other : warning]);
    const condensed = condense(lines.join('\n'))?.split('\n') ?? [];
    expect(condensed).toContain(other);
    expect(condensed.filter((line) => line.startsWith(warning)).length).toBeLessThan(6);
  });

  it('keeps the first line of a paragraph with a rare line', () => {
    const host = (number: number): string[] => [
      `Report for 10.0.0.${number}`,
      `Host is up (0.00${number}s latency).`,
      ...(number === 33 ? ['open docker at 2375'] : []),
      '',
    ];
    expect(condense(range(1, 80).flatMap(host).join('\n'))).toContain(
      'Report for 10.0.0.33\n[… 1 line omitted]\nopen docker at 2375\n',
    );
  });

  it('keeps the top of a ranking', () => {
    const lines = range(1, 100).map(
      (number) => `${5000 - number * 37 - (number % 5)}ms unit-${number * 31}.service`,
    );
    const condensed = condense(lines.join('\n'))?.split('\n') ?? [];
    expect(condensed.slice(2, 11)).toEqual(lines.slice(1, 10));
    expect(condensed.length).toBeLessThan(30);
    expect(condense(lines.toReversed().join('\n'))).not.toContain(lines[7]);
  });

  it('keeps values that stand behind names of their own', () => {
    const names = 'hits misses clients peak rejected uptime keys shards forks lag sync used free'.split(' ');
    const text = ['# Stats', ...names.map((name, index) => `${name}_total:${index * 317}`), ''].join('\n');
    expect(condense(text)).toBe(text.trimEnd());
  });

  it.each([
    [
      'a benchmark',
      (number: number) => `BenchmarkSum/size=${number}-8    ${number * 10}    ${number * 37}.5 ns/op`,
    ],
    ['a report by zone', (number: number) => `zone-${number}  cpu ${number}%  disk ${(number * 7) % 50}%`],
  ])('keeps each line of figures in %s', (_name, line) => {
    const lines = range(1, 40).map(line);
    expect(condense(['Results', ...lines, 'done'].join('\n'))).toBe(['Results', ...lines, 'done'].join('\n'));
  });

  it('shows the most that was measured, although it is no outlier', () => {
    const lines = range(1, 300).map(
      (number) =>
        `${time(number)} INFO handled job ${(number * 7919) % 1000} in ${number === 123 ? 99 : (number * 7) % 90} ms`,
    );
    const condensed = condense(lines.join('\n')) ?? '';
    expect(condensed).toContain(lines[122]);
    expect(condensed.split('\n').length).toBeLessThan(16);
  });

  it('keeps headings of paragraphs', () => {
    const names = 'web queue mail pool clock store page user chart token'.split(' ');
    const blocks = names.map(
      (name) => `# box.${name}2 will be created\n+ size = 2\n+ disk = 40\n+ zone = a\n`,
    );
    const condensed = condense(blocks.join('\n')) ?? '';
    expect(names.filter((name) => !condensed.includes(`# box.${name}2 will`))).toEqual([]);
    expect(condensed).toContain('+ size = 2 [10 lines like this]');
  });

  it('lists the names in which lines differ', () => {
    const names = range(1, 30).map(
      (number) => `box${'abcdefghij'.charAt(number % 10)}${'xyz'.charAt(number % 3)}`,
    );
    const lines = range(1, 120).map(
      (number) => `step ${number} of the run starts ${names[number % 30] ?? ''} now and here`,
    );
    const condensed = condense(lines.join('\n')) ?? '';
    expect(condensed).toContain('[120 lines like this: ');
    expect(names.filter((name) => !condensed.includes(name))).toEqual([]);
  });

  it('keeps the line that says what step an error belongs to', () => {
    const step = (number: number): string[] => [
      `#${number} [build ${number}/20] RUN task`,
      ...range(1, 30).map((part) => `#${number} ${number}.${part} unpacking ${part}`),
    ];
    const lines = range(1, 20).flatMap(step);
    lines.splice(400, 0, '#13 13.3 E: Unable to locate package');
    const condensed = condense(lines.join('\n'));
    expect(condensed).toContain('#13 [build 13/20] RUN task');
    expect(condensed).not.toContain('#12 [build 12/20] RUN task');
  });

  it('keeps skipped tests, although TAP calls them ok, and the last lines', () => {
    const lines = range(1, 60).map(
      (number) =>
        `ok ${number} - case${number === 20 ? ' # SKIP no network' : ''}${number === 40 ? ' # TODO later' : ''}`,
    );
    expect(condense(lines.join('\n'))?.split('\n')).toEqual([
      '[60 lines in all]',
      '[… 19 passing lines omitted]',
      lines[19],
      '[… 19 passing lines omitted]',
      lines[39],
      '[… 18 passing lines omitted]',
      ...lines.slice(-2),
    ]);
  });

  it('counts passed tests and keeps the reports of failed ones whole', () => {
    const failure = [
      '  ● parser › reads numbers',
      '',
      '    Expected: 5',
      '    Received: 6',
      '',
      '      at Object.<anonymous> (src/parser.spec.ts:12:5)',
    ];
    const lines = [
      'FAIL src/parser.spec.ts',
      '  parser',
      ...range(1, 40).map((number) => `    ✓ case ${'abcdefgh'.charAt(number % 8)}${number} (2 ms)`),
      '    ✕ reads numbers (3 ms)',
      ...range(1, 30).map((number) => `    ✓ other ${number}`),
      '',
      ...failure,
      '',
      'Tests:       1 failed, 70 passed, 71 total',
      'Time:        1.2 s',
    ];
    expect(condense(lines.join('\n'))).toBe(
      [
        '[79 lines in all, and 4 blank]',
        'FAIL src/parser.spec.ts',
        '  parser',
        '[… 40 passing lines omitted]',
        '    ✕ reads numbers (3 ms)',
        '[… 30 passing lines omitted]',
        ...failure,
        '',
        'Tests:       1 failed, 70 passed, 71 total',
        'Time:        1.2 s',
      ].join('\n'),
    );
  });

  const services = 'web queue mail pool clock store page user chart token'.split(' ');

  it('takes check marks for passed tests only where a test runner reports', () => {
    const started = services.flatMap((name) =>
      ['api', 'db'].map((part) => ` ✔ Container ${name}-${part} Started`),
    );
    started[7] = ' ✔ Container odd-db Recreated 31.2s';
    const shown = condense(['[+] Running 20/20', ...started].join('\n')) ?? '';
    expect(shown).not.toContain('passing');
    expect(shown).toContain('odd-db Recreated 31.2s');
    expect(services.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it.each([
    ['of Mocha', '  30 passing (2s)'],
    ['of Vitest', '      Tests  30 passed (30)'],
    ['of Node', 'ℹ pass 30'],
    ['of Jest', 'Tests:       30 passed, 30 total'],
    ['of PHPUnit', 'OK (30 tests, 60 assertions)'],
    ['of Swift', '✔ Test run with 30 tests passed after 0.1 seconds.'],
    ['with a failure', '  ✖ writes numbers'],
    ['with a failed test', '  1) writes numbers'],
  ])('counts check marks in a report %s', (_name, end) => {
    const lines = range(1, 30).map((number) => `  ✔ reads ${'abcdefgh'.charAt(number % 8)} ${number}`);
    expect(condense([...lines, '', end].join('\n'))).toContain(' passing lines omitted]');
  });

  it('tells beginnings of tests from passed ones', () => {
    const lines = range(1, 20).flatMap((number) => [
      `=== RUN   Test${number}`,
      ...(number === 20 ? ['--- SKIP: Test20 (0.00s)'] : [`--- PASS: Test${number} (0.00s)`]),
    ]);
    expect(condense([...lines, 'PASS', 'ok  \texample.org/a\t0.1s'].join('\n'))).toContain(
      '[… 39 lines, 19 of them passing, omitted]',
    );
  });

  it('keeps every finding of a compiler', () => {
    const lines = range(1, 90).map(
      (number) => `src/f${number}.ts(${number},5): error TS2345: Argument ${number} is not assignable.`,
    );
    expect(condense(lines.join('\n'))).toBe(lines.join('\n'));
  });

  it('joins lines that differ in a word', () => {
    const names = range(1, 60).map(
      (number) =>
        `${'bcdfgh'.charAt(number % 6)}${'aeiou'.charAt(number % 5)}${'lmnprst'.charAt(number % 7)}`,
    );
    const condensed =
      condense(names.map((name, index) => `Unpacking lib${name} (1.${index}) over (1.0) ...`).join('\n')) ??
      '';
    expect(condensed).toContain('[60 lines like this: lib');
    expect(condensed.split('\n').length).toBeLessThan(16);
  });

  it('leaves texts of other tools alone unless they report something', () => {
    expect(condense('the same line\n'.repeat(30), 'wiki')).toBe(
      '[30 lines in all]\nthe same line [30 lines like this]\nthe same line\nthe same line\n[… 21 lines omitted]\nthe same line\nthe same line\nthe same line\nthe same line\nthe same line\nthe same line',
    );
    expect(logStrategy.condense('the same line\n'.repeat(30), strategyContext('wiki'))).toBeUndefined();
  });

  it('keeps tests that passed but took far longer than the others', () => {
    const lines = range(1, 60).map((at) => `--- PASS: TestSum${at} (${at === 31 ? '1.30' : '0.01'}s)`);
    const short = condense(lines.join('\n')) ?? '';
    expect(short).toContain('--- PASS: TestSum31 (1.30s)');
    expect(short).not.toContain('TestSum30 ');
  });

  it('counts the frames of libraries in a traceback, with their source', () => {
    const frames = range(1, 30).flatMap((at) => [
      `  File "/usr/lib/site-packages/lib${at}.py", line ${at}, in call${'abcdef'.charAt(at % 6)}`,
      `    return handle${'abcdef'.charAt(at % 5)}(request)`,
    ]);
    const own = ['  File "/srv/app/load.py", line 88, in load_row', '    amount = Decimal(row)'];
    const text = [
      ...range(1, 9).map((at) => `row ${at}`),
      'Traceback (most recent call last):',
      ...frames,
      ...own,
    ];
    const short = condense([...text, 'decimal.InvalidOperation: 12,5O'].join('\n')) ?? '';
    own.forEach((line) => expect(short).toContain(line));
    expect(short).toContain('[60 lines like this]');
    expect(short).not.toContain('lib20.py');
  });

  it('shows fewer alarms of one kind where most lines are alarms', () => {
    const alarm = (at: number): string => `ls: cannot open /proc/${at}: Permission denied`;
    const calm = range(1, 300).map((at) => `read block ${at}`);
    const shown = (lines: readonly string[]): number =>
      (condense(lines.join('\n')) ?? '').split('\n').filter((line) => line.startsWith('ls: ')).length;
    const alarms = range(1, 90).map(alarm);
    expect(shown(alarms)).toBeLessThan(25);
    expect(shown([...calm, ...alarms])).toBeGreaterThan(60);
  });

  it('lists the places of alike findings that have their source below them', () => {
    const places = range(1, 40).map((at) => `app/${'abcdefgh'.charAt(at % 8)}${at}.rb:${at * 3}:5`);
    const lines = places.flatMap((place) => [
      `${place}: C: Style/Quotes: Prefer single quotes.`,
      '  x = "a"',
      '      ^^^',
    ]);
    expect(condense(lines.join('\n'))).toContain(`[40 lines like this: ${places.join(', ')}]`);
  });

  it('keeps every name of a list of names in parts', () => {
    const names = range(1, 60).map(
      (at) =>
        `module.shop${'abcdefg'.charAt(at % 7)}.aws_${'lb role bucket'.split(' ')[at % 3]}.${at.toString(36)}x`,
    );
    const short = condense(['Listing resources', ...names].join('\n')) ?? '';
    names.forEach((name) => expect(short).toContain(name));
    const ids = range(1, 60).map((at) => (at * 987654321).toString(16));
    expect(condense(['Listing ids', ...ids].join('\n'))).toContain('omitted');
  });
});
