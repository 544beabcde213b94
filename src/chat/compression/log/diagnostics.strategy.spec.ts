import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { diagnosticsStrategy } from './diagnostics.strategy.js';

const condense = (text: string): string | undefined => diagnosticsStrategy.condense(text, strategyContext());

describe('diagnosticsStrategy', () => {
  it('prints each message of a compiler once, with all its places', () => {
    const lines = [
      ...range(1, 9).map((line) => `src/a${line}.ts(${line},5): error TS2304: Cannot find name 'x'.`),
      "src/b.ts(1,1): error TS2307: Cannot find module 'y'.",
      '',
      'Found 10 errors.',
    ];
    expect(condense(lines.join('\n'))).toBe(
      [
        '[10 findings, each message once with its places]',
        `error TS2304: Cannot find name 'x'. (9): ${range(1, 9)
          .map((line) => `src/a${line}.ts(${line},5)`)
          .join(' ')}`,
        "src/b.ts(1,1): error TS2307: Cannot find module 'y'.",
        'Found 10 errors.',
      ].join('\n'),
    );
  });

  it.each([
    ['src/a.c:7:2: warning: unused', 'src/a.c:7:2 19:2 28:2 35:2 src/b.c:7:2 src/b.c:8:2'],
    [
      'src/a.c(7,2): warning: unused',
      'src/a.c(7,2) src/a.c(19,2) src/a.c(28,2) src/a.c(35,2) src/b.c(7,2) src/b.c(8,2)',
    ],
  ])('names a file once for its many places, unless these are in brackets: %j', (finding, places) => {
    const lines = [7, 19, 28, 35].map((line) => finding.replace('7', String(line)));
    const other = [7, 8].map((line) => finding.replace('a.c', 'b.c').replace('7', String(line)));
    const others = range(1, 9).map((line) => `d.c:${line}:1: error: odd`);
    const condensed = condense([...lines, ...other, ...others].join('\n'))?.split('\n');
    expect(condensed).toContain(`warning: unused (6): ${places}`);
  });

  it('keeps the file headings of a linter, with the messages below them', () => {
    const findings = range(10, 17).map(
      (line) => `  ${line}:5   error    Unexpected console statement    no-console`,
    );
    expect(
      condense(
        [
          '/app/a.js',
          ...findings,
          '',
          '/app/b.js',
          '  3:1  warning  Unused  no-unused-vars',
          '',
          '✖ 9 problems',
        ].join('\n'),
      ),
    ).toBe(
      [
        '[9 findings, each message once with its places]',
        '/app/a.js',
        `error  Unexpected console statement  no-console (8): ${range(10, 17)
          .map((line) => `${line}:5`)
          .join(' ')}`,
        '/app/b.js',
        '3:1: warning  Unused  no-unused-vars',
        '✖ 9 problems',
      ].join('\n'),
    );
  });

  it('takes findings that begin with a code', () => {
    const lines = range(1, 9).map(
      (line) => `a${line}.py:${line}:80: ${line === 5 ? 'F821 no x' : 'E501 too long'}`,
    );
    const condensed = condense(lines.join('\n'));
    expect(condensed).toContain('a5.py:5:80: F821 no x');
    expect(condensed).toContain('E501 too long (8): a1.py:1:80 ');
  });

  it('takes findings of no severity if their messages repeat', () => {
    const lines = range(1, 9).map((line) => `./a${line}.go:${line}:2: unreachable code`);
    const odd = './b.go:7:11: result of fmt.Sprint call not used';
    const condensed = condense([...lines, odd].join('\n'))?.split('\n');
    expect(condensed).toEqual([
      '[10 findings, each message once with its places]',
      `unreachable code (9): ${range(1, 9)
        .map((line) => `./a${line}.go:${line}:2`)
        .join(' ')}`,
      odd,
    ]);
    const matches = range(1, 20).map((line) => `src/a${line}.ts:${line}:3: const a${line} = find(${line});`);
    expect(condense(matches.join('\n'))).toBeUndefined();
  });

  it('leaves few findings, and findings among other output, alone', () => {
    const finding = 'a.c:1:1: error: no\n';
    expect(condense(finding.repeat(7))).toBeUndefined();
    expect(condense(finding.repeat(20) + 'note to the reader\n'.repeat(20))).toBeUndefined();
  });

  it('calls messages that come often below the names of files by their rule', () => {
    const lines = range(1, 4).flatMap((file) => [
      `/app/a${file}.js`,
      ...range(1, 3).map((at) => `  ${at}:5  warning  No magic number: ${at}  no-magic-numbers`),
      `  9:1  error    'x${file}' is not defined  no-undef`,
    ]);
    expect(condense(lines.join('\n'))?.split('\n')).toEqual([
      '[16 findings, each message once with its places]',
      'no-magic-numbers = warning  No magic number: * (12)',
      ...range(1, 4).flatMap((file) => [
        `/app/a${file}.js`,
        'no-magic-numbers: 1 @ 1:5; 2 @ 2:5; 3 @ 3:5',
        `9:1: error  'x${file}' is not defined  no-undef`,
      ]),
    ]);
  });

  it('lists findings with messages of their own by file, rare ones as they are, with what belongs to them', () => {
    const finding = (number: number): string[] => [
      `src/cart/totals${number % 3}.ts(${number},5): error TS2345: Type 'Part${number}' is not assignable to 'Sum'.`,
      `  Property 'tax${number}' is missing.`,
    ];
    const odd = 'src/cart/rates.ts(7,9): error TS2554: Expected 3 arguments, but got 2.';
    const condensed = condense([...range(1, 11).flatMap(finding), odd, 'Found 12 errors.'].join('\n'));
    expect(condensed?.split('\n')).toEqual([
      '[12 findings in 4 files, with labels for frequent messages]',
      "TS2345 = error TS2345: Type * is not assignable to 'Sum'.",
      '  Property * is missing. (11)',
      odd,
      "src/cart/totals1.ts TS2345 1,5 'Part1' 'tax1', 4,5 'Part4' 'tax4', 7,5 'Part7' 'tax7', 10,5 'Part10' 'tax10'",
      "src/cart/totals2.ts TS2345 2,5 'Part2' 'tax2', 5,5 'Part5' 'tax5', 8,5 'Part8' 'tax8', 11,5 'Part11' 'tax11'",
      "src/cart/totals0.ts TS2345 3,5 'Part3' 'tax3', 6,5 'Part6' 'tax6', 9,5 'Part9' 'tax9'",
      'Found 12 errors.',
    ]);
  });

  it('leaves the source below frequent findings out', () => {
    const finding = (number: number): string[] => [
      `a${number % 4}.c:${number}:9: warning: ${number === 9 ? 'overflow of `n`' : 'unused `sum`'}`,
      `\tint sum = ${number};`,
      '\t    ^~~',
    ];
    const condensed = condense(range(1, 20).flatMap(finding).join('\n')) ?? '';
    expect(condensed).toContain(
      'frequent messages; source below these omitted]\n~1 = warning: unused `sum` (19)',
    );
    expect(condensed).toContain('a1.c:9:9: warning: overflow of `n`\n\tint sum = 9;\n\t    ^~~\n');
    expect(condensed).not.toContain('int sum = 8;');
  });

  it('takes findings out of the output of a build, which it shows as a log', () => {
    const finding = (number: number): string[] => [
      `src/a${number % 5}.c: In function ‘run${number}’:`,
      `src/a${number % 5}.c:${number}:9: warning: unused variable ‘sum${number}’ [-Wunused-variable]`,
      `${String(number).padStart(5)} |     int sum${number};`,
      '      |         ^~~~',
    ];
    const commands = range(1, 35).map((number) => `cc -O2 -c step ${number}`);
    const condensed = condense([...commands, ...range(1, 120).flatMap(finding), 'Error 2'].join('\n'));
    expect(condensed?.split('\n').slice(0, 2)).toEqual([
      '[35 lines in all]',
      'cc -O2 -c step 1 [35 lines like this]',
    ]);
    expect(condensed).toContain(
      '~1 = warning: unused variable * [-Wunused-variable] (120)\nsrc/a1.c ~1 1:9 ‘sum1’, 6:9 ‘sum6’',
    );
    expect(condensed?.split('\n').at(-1)).toBe('Error 2');
  });

  it('reads findings whose places stand below them', () => {
    const finding = (number: number): string[] => [
      number === 7
        ? 'error[E0382]: borrow of moved value: `cart`'
        : `warning: unused variable: \`sum${number}\``,
      `  --> src/a${number % 4}.rs:${number}:9`,
      '   |',
      `${String(number).padStart(2, ' ')} |     let sum${number} = total(&cart, &rates, ${number});`,
      '   |         ^^^^ help: if this is intentional, prefix it with an underscore',
      '',
    ];
    const condensed = condense(
      ['Checking shop', ...range(10, 40).flatMap(finding), ...finding(7)].join('\n'),
    );
    expect(condensed).toContain(
      '[32 findings in 4 files, with labels for frequent messages; source below these omitted]',
    );
    expect(condensed).toContain('~1 = warning: unused variable: * (31)');
    expect(condensed).toContain('src/a3.rs:7:9: error[E0382]: borrow of moved value: `cart`\n   |\n 7 |');
    expect(condensed).toContain('src/a2.rs ~1 10:9 `sum10`, 14:9 `sum14`');
  });

  it('reads findings that TypeScript prints for people, with their source', () => {
    const finding = (number: number): string[] => [
      `src/a${number % 4}.ts:${number}:9 - error TS2339: Property 'sum${number}' does not exist on type 'Cart'.`,
      '',
      `${number}   cart.sum${number}();`,
      '         ~~~~~',
      '',
    ];
    const condensed = condense([...range(1, 30).flatMap(finding), 'Found 30 errors.'].join('\n'));
    expect(condensed?.split('\n').slice(0, 2)).toEqual([
      '[30 findings in 4 files, with labels for frequent messages; source below these omitted]',
      "TS2339 = error TS2339: Property * does not exist on type 'Cart'. (30)",
    ]);
    expect(condensed).toContain("src/a2.ts TS2339 2:9 'sum2', 6:9 'sum6'");
    expect(condensed?.split('\n').at(-1)).toBe('Found 30 errors.');
  });

  it('reads findings whose severity stands in brackets', () => {
    const lines = range(1, 9).map((line) => `deploy/a${line}.yml:${line}:1: [error] trailing spaces`);
    expect(condense(lines.join('\n'))).toContain('[error] trailing spaces (9): deploy/a1.yml:1:1 ');
  });

  it('reads findings of no severity with their source', () => {
    const finding = (number: number): string[] => [
      `a${number % 4}.go:${number}:2: return value of \`file${number}.Close\` is not checked (errcheck)`,
      `\tdefer file${number}.Close()`,
      '\t^',
    ];
    expect(condense(range(1, 30).flatMap(finding).join('\n'))?.split('\n').slice(0, 3)).toEqual([
      '[30 findings in 4 files, with labels for frequent messages; source below these omitted]',
      '~1 = return value of * is not checked (errcheck) (30)',
      'a1.go ~1 1:2 `file1.Close`, 5:2 `file5.Close`, 9:2 `file9.Close`, 13:2 `file13.Close`, 17:2 `file17.Close`, 21:2 `file21.Close`, 25:2 `file25.Close`, 29:2 `file29.Close`',
    ]);
  });

  it('reads findings that are few lines among those of their source', () => {
    const finding = (number: number): string[] => [
      `lib/part${number % 7}/long-name-of-a-file.py:${number}:9: F841 [*] Local variable \`a${number}\` is assigned to`,
      '   |',
      `${number - 1} | `,
      `${number} | a${number} = total()`,
      '   | ^^^^^ F841',
      `${number + 1} | `,
      '   |',
      '   = help: Remove it',
      '',
    ];
    expect(condense(range(100, 250).flatMap(finding).join('\n'))?.split('\n').slice(0, 2)).toEqual([
      '[151 findings in 7 files, with labels for frequent messages; source below these omitted]',
      'F841 = F841 [*] Local variable * is assigned to (151)',
    ]);
  });

  it('labels findings that differ in names without quotes, and tells them with their source from afar', () => {
    const names = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `part${letter.toUpperCase()}`);
    const finding = (number: number): string[] => [
      `internal/service/part${number % 7}/long_name_of_handler.go:${number}:2: ineffectual assignment to ${names[number % 26]} (ineffassign)`,
      `\tload.${names[number % 26]}(ctx)`,
      '\t^',
    ];
    const odd = 'internal/auth/token.go:71:9: use of a weak cipher (gosec)\n\tmd5.Sum(secret)\n\t^';
    const condensed = condense([...range(1, 130).flatMap(finding), odd, ...finding(131)].join('\n'));
    expect(condensed?.split('\n').slice(1, 5)).toEqual([
      '~1 = ineffectual assignment to * (ineffassign) (131)',
      ...odd.split('\n'),
    ]);
    expect(condensed).toContain('part3/long_name_of_handler.go ~1 3:2 partD, 10:2 partK');
  });
});
