import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { jsonStrategy } from './json.strategy.js';

const condense = (text: string): string | undefined => jsonStrategy.condense(text, strategyContext());

describe('jsonStrategy', () => {
  it('keeps the first, last and unusual rows of an array with a summary, and the notation of numbers', () => {
    const row = (id: number): string =>
      `{"id": 90071992547409${900 + id}, "state": "${id === 15 ? 'failed' : 'ok'}", "cost": ${id === 20 ? '1e400' : '1.50'}}`;
    const rows = range(1, 40).map(row);
    expect(condense(`{"total": 40.0, "rows": [\n  ${rows.join(',\n  ')}\n]}`)).toBe(
      [
        '{"total": 40.0, "rows": [',
        ...rows.slice(0, 3),
        '[… 11 rows omitted]',
        rows[14],
        '[… 4 rows omitted]',
        rows[19],
        '[… 18 rows omitted]',
        ...rows.slice(-2),
        '[40 rows in all; id: 90071992547409901 to 90071992547409940; state: "ok" 39, "failed" 1; cost: 1.50 39, 1e400 1]',
        ']}',
      ].join('\n'),
    );
  });

  it('shows what is complete of a text that was cut off, and the rest as it was', () => {
    const row = (id: number): string => `{"id":${id},"state":"${id === 15 ? 'failed' : 'ok'}"}`;
    const text = `{"rows":[${range(1, 60).map(row).join(',')},{"id":61,"sta`;
    const condensed = condense(text)?.split('\n') ?? [];
    expect(condensed.slice(-2)).toEqual([
      '[the text was cut off behind this; its last item:]',
      '{"id":61,"sta',
    ]);
    expect(condensed).toContain(row(15));
    expect(condensed.find((line) => line.startsWith('[60 rows in all'))).toContain('"failed" 1');
    const warned = `warning: no such rule\n${text}`;
    expect(condense(warned)?.split('\n')).toEqual(['warning: no such rule', ...condensed]);
    expect(condense(`{"scripts":{},"lines":[${range(1, 99).join(',')}`)).toBeUndefined();
  });

  it('takes what is installed for rows, and the versions that are asked for and locked for a manifest', () => {
    const tree = range(1, 60).map(
      (at) => [`lib-${at}`, { version: `1.${at % 5}.0`, overridden: false }] as const,
    );
    const listed = { name: 'shop', dependencies: Object.fromEntries(tree) };
    expect(condense(JSON.stringify(listed, null, 2))).toContain('[60 rows in all; ');
    const locked = JSON.stringify({ ...listed, lockfileVersion: 1 }, null, 2);
    expect(condense(locked)).toBe(locked);
  });

  it.each([
    [
      'lists in them',
      range(10, 49).map((id) => ({ name: `n${id.toString(36)}-tool`, tags: [`only ${id}`, 'b'] })),
    ],
    [
      'rows in them',
      range(1, 12).map((id) => ({
        team: `t${id}`,
        members: range(1, 14).map((at) => ({ name: `${(at + 9).toString(36)} of ${id}` })),
      })),
    ],
  ])('shows several rows of which names do not say all, but %s', (_what, rows) => {
    const short = condense(JSON.stringify(rows)) ?? '';
    rows.slice(0, 3).forEach((row) => {
      expect(short).toContain('tags' in row ? JSON.stringify(row) : JSON.stringify(row.members[2]));
    });
  });

  it('keeps the ends of a list of short values, such as the newest versions', () => {
    const versions = range(0, 9).flatMap((major) => range(0, 19).map((minor) => `${major}.${minor}.0`));
    const lines = condense(JSON.stringify(versions, null, 2))?.split('\n') ?? [];
    const newest = lines.slice(-12, -2);
    expect(newest).toEqual(versions.slice(-10).map((version) => `"${version}"`));
    expect(lines.at(-2)).toBe('[200 rows in all; distinct values value 200]');
  });

  it('compares texts to their end', () => {
    const rows = range(1, 40).map((id) => ({ url: `https://a.example/${'x'.repeat(500)}/${id}` }));
    expect(condense(JSON.stringify(rows))?.split('\n').at(-2)).toBe(
      '[40 rows in all; distinct values url 40]',
    );
  });

  it('compares the items of rows that are arrays, and shows rows of another kind', () => {
    const rows: unknown[] = range(1, 40).map((id) => [
      id,
      id === 20 ? 'failed' : 'ok',
      [id === 25 ? 900 : 1, 2],
    ]);
    rows[29] = 'end of page';
    const condensed = condense(JSON.stringify(rows)) ?? '';
    expect(condensed).toContain('\n[20,"failed",[1,2]]\n');
    expect(condensed).toContain('\n[25,"ok",[900,2]]\n');
    expect(condensed).toContain('\n"end of page"\n');
    expect(condensed).toContain('[40 rows in all; ');
  });

  it('tells of all rows of a search what they are and how they score', () => {
    const rows = range(1, 40).map((id) => ({ score: 1 - id / 100, path: `src/f${id}.ts`, text: 'x y z' }));
    expect(condense(JSON.stringify(rows))).toContain(
      `[path and score of all rows: ${rows.map(({ path, score }) => `"${path}" ${score}`).join(', ')}]`,
    );
  });

  it('lists scores in order only, whatever the column is called', () => {
    const rows = (scoreOf: (id: number) => number): string =>
      JSON.stringify(
        range(1, 40).map((id) => ({ package: { name: `p${id}` }, searchScore: { final: scoreOf(id) } })),
      );
    expect(condense(rows((id) => 100 - id))).toContain(
      '[package.name and searchScore.final of all rows: "p1" 99, ',
    );
    expect(condense(rows((id) => (id * 37) % 100))).not.toContain('of all rows');
  });

  it('names the entries of a dictionary, folders that all have in common once', () => {
    const names = range(1, 30).map((id) => `/home/ci/work/shop/shop/app/${'abc'.charAt(id % 3)}/m${id}.php`);
    const entries = names.map((name, index) => [name, { errors: 1, messages: [{ line: index }] }] as const);
    expect(condense(JSON.stringify({ total: 30, files: Object.fromEntries(entries) }))).toContain(
      `key in order, each behind /home/ci/work/shop/shop/app/: ${names.map((name) => name.slice(28)).join(', ')}`,
    );
  });

  it('shows the row whose inner rows have the largest number', () => {
    const row = (id: number): object => ({
      id,
      values: range(1, 60).map((at) => [at, id === 20 && at === 40 ? '8.4' : '0.1']),
    });
    const condensed = condense(JSON.stringify(range(1, 40).map(row)));
    expect(condensed).toContain('[40,"8.4"]');
    expect(condensed).toContain('largest values[][1]: "0.1" 39, "8.4" 1');
  });

  it('compares cells that are objects with one member by their places', () => {
    const row = (id: number): object => ({ f: [{ v: String(id) }, { v: id === 20 ? 'REFUND' : 'SALE' }] });
    expect(condense(JSON.stringify(range(1, 40).map(row)))).toContain(JSON.stringify(row(20)));
  });

  it('reads pairs of key and value as columns', () => {
    const row = (id: number): object => ({
      Tags: [
        { Key: 'Name', Value: `srv${id}` },
        { Key: 'env', Value: id === 20 ? 'test' : 'prod' },
      ],
    });
    const condensed = condense(JSON.stringify(range(1, 40).map(row)));
    expect(condensed).toContain(JSON.stringify(row(20)));
    expect(condensed).toContain('Tags[env]: "prod" 39, "test" 1');
  });

  it('takes a report that names its schema, but no settings that do', () => {
    const rows = range(1, 40).map((id) => ({ id, level: 'note' }));
    expect(condense(JSON.stringify({ $schema: 'https://a.example/s.json', runs: [{ rows }] }))).toContain(
      '[40 rows in all',
    );
    const settings = JSON.stringify({ $schema: 'https://a.example/s.json', tasks: range(1, 40) });
    expect(condense(settings)).toBe(settings);
  });

  it('counts the items of inner arrays, not the rows that have them', () => {
    const finding = (line: number): object => ({ rule: line === 4 ? 'eval' : 'semi', line, fix: 'no' });
    const rows = range(1, 20).map((id) => ({ id, found: range(1, id === 9 ? 4 : id % 3).map(finding) }));
    const about = condense(JSON.stringify(rows))?.split('\n').at(-2);
    expect(about).toContain('found[].rule: "semi" 24, "eval" 1;');
    expect(about).toContain('found[].line: 1 15, 2 8, 3 1, 4 1;');
    expect(about).toContain('found[].fix: "no" 25');
  });

  it('counts the findings of each file', () => {
    const rows = range(1, 90).map((id) => ({
      line: id,
      file: `src/${'ab'.charAt(id % 2)}${id % 30}.ts`,
      rule: `r${id % 3}`,
    }));
    const condensed = condense(JSON.stringify(rows)) ?? '';
    range(0, 29).forEach((id) => {
      expect(condensed).toContain(`"src/${'ab'.charAt(id % 2)}${id}.ts" 3`);
    });
  });

  it('keeps the separators of the keys, whatever stands in texts', () => {
    const rows = range(1, 40).map((id) => ({ id, note: id === 30 ? 'a "b": c' : 'none' }));
    expect(condense(JSON.stringify({ failed: 2, rows }))).toMatch(/^\{"failed":2,"rows":\[\n\{"id":1,/);
  });

  it('keeps every setting of one object', () => {
    const env = range(1, 40).map((id) => `NAME_${id}=value of ${id}`);
    const mounts = range(1, 20).map((id) => ({ Type: 'bind', Source: `/a/${id}`, RW: id !== 7 }));
    const inspected = [{ Config: { Env: env }, Mounts: mounts, Id: 'x'.repeat(64) }];
    expect(condense(JSON.stringify(inspected, undefined, 4))).toBe(
      JSON.stringify(inspected).replaceAll(/(":|,)(?=["{[tf])/g, '$1 '),
    );
  });

  it('shows rows with additional or missing keys', () => {
    const rows = range(1, 90).map((id) => {
      const extra = id === 10 ? { note: 'odd' } : {};
      return id === 12 ? { id } : { id, name: id === 14 ? null : `n${id}`, ...extra };
    });
    const condensed = condense(JSON.stringify(rows)) ?? '';
    expect(condensed).toContain('{"id":10,"name":"n10","note":"odd"}');
    expect(condensed).toContain('{"id":12}');
    expect(condensed).toContain('{"id":14,"name":null}');
    expect(condensed).toContain('note: "odd" 1, missing 89');
  });

  it('lists the names of the rows of a short table; shows minimum, maximum, zeros and negative numbers', () => {
    const rows = range(1, 40).map((number) => ({
      name: `${'abcdefgh'.charAt(number % 8)}${'ijklm'.charAt(number % 5)}`,
      size: [0, 31, 97, 55][(number * 7) % 37] ?? 40 + ((number * 13) % 40),
    }));
    const condensed = condense(JSON.stringify(rows)) ?? '';
    expect(condensed).toContain(`name in order: ${rows.map(({ name }) => `"${name}"`).join(', ')}`);
    expect(condensed).toContain('"size":0');
    expect(condensed).toContain('"size":97');
  });

  it('condenses dictionaries of similar entries, but no record with fields', () => {
    const versions = Object.fromEntries(range(1, 40).map((number) => [`1.0.${number}`, '2024-01-01']));
    expect(condense(JSON.stringify({ time: versions }))).toContain('[… 35 rows omitted]');
    const fields = Object.fromEntries(
      range(1, 40).map((number) => ['abcdefgh'.charAt(number % 8).repeat(number), 'x']),
    );
    const text = JSON.stringify(fields);
    expect(condense(text)).toBe(text);
  });

  it('shows all entries of a short dictionary, and what most of them have once', () => {
    const entries = range(1, 14).map((number): [string, object] => [
      `@acme/part-${number}`,
      { current: `1.${number}.0`, latest: `2.${number * 7}.0`, dependent: number === 9 ? 'tools' : 'shop' },
    ]);
    const lines = condense(JSON.stringify(Object.fromEntries(entries)))?.split('\n') ?? [];
    expect(lines[1]).toBe(
      '[in each row key, current, latest; unless it says otherwise "dependent":"shop" (13)]',
    );
    expect(lines).toContain('"@acme/part-9","1.9.0","2.63.0","dependent":"tools"');
    expect(lines).toHaveLength(17);
  });

  it('shows all of a few findings, each in a line', () => {
    const findings = range(1, 20).map((number) => ({
      file: `src/${'abcde'.charAt(number % 5).repeat(1 + number)}.ts`,
      rule: number === 11 ? 'no-leak' : 'no-magic',
      at: { line: number * 37, column: (number * 5) % 13 },
      message: number === 11 ? 'Connection leaks.' : `No magic number ${number * 3}.`,
      severity: 2,
    }));
    const lines = condense(JSON.stringify({ findings }))?.split('\n') ?? [];
    findings.forEach(({ file, at }) =>
      expect(lines).toContainEqual(expect.stringContaining(`"${file}",${at.line},`)),
    );
    expect(lines.at(-2)).toMatch(/^\[20 rows in all/);
  });

  it('takes pairs of numbers for rows, not for settings', () => {
    const curves = range(1, 8).map((number) => ({
      name: `disk-${number}`,
      values: range(1, 40).map((at) => [1_700_000_000 + at * 30, number === 3 && at === 20 ? '912.5' : '1']),
    }));
    const condensed = condense(JSON.stringify({ curves })) ?? '';
    expect(condensed).toContain('[1700000600,"912.5"]');
    expect(condensed).toContain('[40 rows in all; ');
  });

  it('keeps errors whole beside rows, which it condenses', () => {
    const errors = range(1, 20).map((id) => ({
      message: `no rights to ${'oak elm fir ash'.split(' ')[id % 4]} ${id}`,
      path: ['orders', id],
      stack: `Error: no\n${'    at f (a.js:1:1)\n'.repeat(id)}`,
    }));
    const orders = range(1, 1000).map((id) => ({ id, state: 'open' }));
    const condensed = condense(JSON.stringify({ errors, data: { orders } })) ?? '';
    expect(condensed).toContain(JSON.stringify(errors));
    expect(condensed).toContain('[1000 rows in all; id: 1 to 1000; ');
    const report = JSON.stringify({ errors: orders });
    expect(condense(report)).toBe(report);
  });

  it('finds JSON behind a heading', () => {
    const text = `HTTP/1.1 200 OK\n\n[\n${range(1, 200).join(',\n')}\n]`;
    expect(condense(text)).toBe(
      'HTTP/1.1 200 OK\n\n[\n1\n2\n3\n[… 195 rows omitted]\n199\n200\n[200 rows in all; value: 1 to 200]\n]',
    );
  });

  it('condenses a string that makes up most of an object as a text of its own', () => {
    const text = JSON.stringify({ exit: 0, stdout: 'line\n'.repeat(50) });
    expect(condense(text)).toBe(`{"exit":0,"stdout":${JSON.stringify('LINE\n'.repeat(50))}}`);
  });

  it.each([
    ['arrays of 11', JSON.stringify({ rows: range(1, 11).map((id) => ({ id })) }, undefined, 2)],
    ['errors', JSON.stringify({ error: { message: 'no' }, rows: range(1, 90) })],
    ['problems', JSON.stringify({ status: 503, title: 'Down', rows: range(1, 90) })],
    [
      'bodies of symbols',
      JSON.stringify(
        range(1, 30).map((line) => ({ line, body: `function f${line}() {\n  return ${line};\n}` })),
      ),
    ],
    ['manifests', JSON.stringify({ name: 'a', dependencies: { b: '1' }, files: range(1, 99) })],
  ])('leaves %s as they are', (_name, text) => {
    expect(condense(text)).toBe(text);
  });

  it.each([
    ['no JSON', 'text'],
    ['JSON that ends too early', '[1, 2'],
    ['nesting without end', '['.repeat(100_000)],
    ['JSON in a text of its own', `Read [1,2,3] and then\n[1,2]\n${'more words '.repeat(50)}`],
  ])('does not take %s', (_name, text) => {
    expect(condense(text)).toBeUndefined();
  });

  it('leaves out of all rows but the first what all have in common, and nothing else', () => {
    const rows = range(1, 40).map((id) => ({
      id,
      kind: 'Pod',
      spec: { policy: 'Always', image: `shop:${id === 20 ? 'latest' : '1'}` },
      findings: [{ rule: 'R1', line: id * 3 }],
    }));
    const lines = (condense(JSON.stringify(rows)) ?? '').split('\n');
    expect(lines[1]).toBe(JSON.stringify(rows[0]));
    expect(lines[2]).toBe('{"id":2,"spec":{"image":"shop:1"},"findings":[{"line":6}]}');
    expect(lines).toContain('{"id":20,"spec":{"image":"shop:latest"},"findings":[{"line":60}]}');
    expect(lines.at(-2)).toContain(
      'in all rows, and shown in the first only, kind: "Pod", spec.policy: "Always", findings[]: 1, findings[].rule: "R1"',
    );
  });

  it('keeps rows with a rare word in a list, and with a rare setting', () => {
    const rows = range(1, 60).map((id) => ({
      id,
      labels: [id === 30 ? 'security' : 'docs', 'web'],
      env: ['TZ=UTC', `LOG=${id === 40 ? 'trace' : 'info'}`],
    }));
    const short = condense(JSON.stringify(rows)) ?? '';
    expect(short).toContain('{"id":30,"labels":["security","web"]');
    expect(short).toContain('"LOG=trace"');
    expect(short).toContain('"security" 1');
  });

  it('takes the indentation from a large value of which nothing can be left out', () => {
    const value = Object.fromEntries(
      'abcdefghij'
        .split('')
        .map((key) => [key.repeat(9), range(1, 9).map((id) => ({ id, text: key.repeat(20) }))]),
    );
    expect(condense(JSON.stringify(value, undefined, 2))).toBe(
      JSON.stringify(value).replaceAll('":', '": ').replaceAll(',', ', '),
    );
    expect(condense(JSON.stringify(value))).toBe(JSON.stringify(value));
  });

  it('shows what a few large objects have in common in the first only', () => {
    const hash = (digit: string): string => digit.repeat(64);
    const object = (name: string, digit: string): object => ({
      id: hash(digit),
      name,
      host: { runtime: 'runc', masked: ['/proc/kcore', '/proc/keys'], memory: name === 'mail' ? 128 : 1024 },
      text: 'x'.repeat(900),
    });
    const objects = [object('cart', 'a'), object('mail', 'b'), object('auth', 'c')];
    expect(condense(JSON.stringify(objects))?.split('\n')).toEqual([
      '[',
      `${JSON.stringify(objects[0]).replace(hash('a'), 'aaaaaaaaaaaa…')},`,
      '{"id":"bbbbbbbbbbbb…","name":"mail","host":{"memory":128}},',
      '{"id":"cccccccccccc…","name":"auth","host":{"memory":1024}}',
      '[3 rows in all; what is as in the first is left out of the others, hashes are cut]',
      ']',
    ]);
  });

  it('leaves long texts of large objects out that are as in the first, and short values only if all are the same', () => {
    const plan = 'x'.repeat(800);
    const events = range(1, 5).map((id) => ({
      id,
      state: id === 3 ? 'failed' : 'ok',
      kind: 'push',
      owner: { type: 'User', plan: id === 4 ? `other ${plan}` : plan },
    }));
    expect(condense(JSON.stringify(events))?.split('\n').slice(2, 6)).toEqual([
      '{"id":2,"state":"ok","owner":{}},',
      '{"id":3,"state":"failed","owner":{}},',
      `{"id":4,"state":"ok","owner":{"plan":"other ${plan}"}},`,
      '{"id":5,"state":"ok","owner":{}}',
    ]);
  });

  it('compares no rows within large objects with these', () => {
    const object = (name: string): object => ({
      name,
      kind: 'host',
      disks: range(1, 14).map((at) => ({ kind: 'disk', mount: `/${name}/${at}` })),
      settings: { kind: 'host', text: 'x'.repeat(900) },
    });
    const condensed = condense(JSON.stringify(['cart', 'mail', 'auth'].map(object))) ?? '';
    expect(condensed.match(/"kind":"disk"/g)).toHaveLength(3);
    expect(condensed).toContain('{"name":"mail","disks":[');
    expect(condensed.match(/"settings"/g)).toHaveLength(1);
  });
});
