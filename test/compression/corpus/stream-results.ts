import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** JSON lines, JSON around the output of a command or in levels, and records that follow each other. */
export const streamResults: readonly CorpusEntry[] = [
  serviceLog(),
  eventsWithGaps(),
  wrappedLog(),
  cutList(),
  planInLevels(),
  describedFonts(),
  assignments(),
];

function serviceLog(): CorpusEntry {
  const make = new Maker(11);
  const lines = make.list(1200, (index) =>
    JSON.stringify(
      index === 800
        ? {
            level: 50,
            time: 1_741_593_600_000 + index,
            msg: 'upstream failed',
            err: { code: 'ECONNRESET', stack: 'Error: read ECONNRESET\n at a.js:1' },
          }
        : {
            level: index % 400 === 100 ? 40 : 30,
            time: 1_741_593_600_000 + index,
            reqId: make.hex(12),
            msg: 'request completed',
            responseTime: make.number(1, 60),
          },
    ),
  );
  return {
    name: 'a service log of JSON lines',
    kind: 'json lines',
    tool: shell('docker logs api'),
    text: lines.join('\n'),
    facts: [
      'upstream failed',
      'ECONNRESET',
      '1200 rows',
      ...[100, 500, 900].map((index) => String(1_741_593_600_000 + index)),
      '"request completed"',
      'responseTime',
    ],
  };
}

function eventsWithGaps(): CorpusEntry {
  const make = new Maker(12);
  const lines = make.list(300, (index) =>
    index === 140
      ? 'write error: disk full'
      : JSON.stringify({
          ts: make.time(index),
          user: make.number(1, 9),
          event: index === 222 ? 'account_deleted' : make.pick(['view', 'click', 'scroll']),
        }),
  );
  return {
    name: 'an export of events',
    kind: 'json lines',
    tool: call('read_file', { path: 'exports/events.jsonl' }),
    text: lines.join('\n'),
    facts: [
      'write error: disk full',
      'account_deleted',
      make.time(222),
      make.time(0),
      make.time(299),
      '300 rows',
    ],
  };
}

function wrappedLog(): CorpusEntry {
  const make = new Maker(13);
  const lines = make.list(500, (index) =>
    index === 350
      ? 'ERROR worker 7 lost lock on job 4711'
      : `INFO worker ${make.number(1, 9)} finished job ${5000 + index} in ${make.number(3, 90)} ms`,
  );
  return {
    name: 'output of a command inside JSON',
    kind: 'json',
    tool: shell('./worker --once'),
    text: JSON.stringify({ exit_code: 3, duration_seconds: 12.5, stdout: lines.join('\n'), stderr: '' }),
    facts: [
      '"exit_code":3',
      '12.5',
      'ERROR worker 7 lost lock on job 4711',
      'finished job 5000',
      'finished job 5499',
    ],
  };
}

/** A list that the limit of a tool has cut off within a row. */
function cutList(): CorpusEntry {
  const make = new Maker(14);
  const rows = make.list(140, (index) => ({
    name: `${make.word()}-${index}`,
    path: `node_modules/${make.word()}/${make.word()}`,
    engines: { node: index === 92 ? '^0.8.2' : make.pick(['>=18', '>=20']) },
    dev: false,
  }));
  return {
    name: 'a list that is cut off',
    kind: 'json',
    tool: shell('npm query ":attr(engines, [node])" | head -c 20000'),
    text: JSON.stringify(rows, null, 2).slice(0, -60),
    facts: ['[139 rows in all', '^0.8.2', rows[92]?.name ?? '', rows[139]?.name ?? '', 'cut off'],
  };
}

function planInLevels(): CorpusEntry {
  const make = new Maker(15);
  const nodes = make.list(14, (index) => ({
    'Node Type': index === 9 ? 'Seq Scan' : make.pick(['Hash Join', 'Sort', 'Aggregate']),
    'Parallel Aware': false,
    'Async Capable': false,
    'Actual Rows': index === 9 ? 1_843_112 : make.number(1, 900),
    'Actual Loops': 1,
    'Temp Read Blocks': index === 4 ? 5512 : 0,
    'Temp Written Blocks': 0,
    'Local Hit Blocks': 0,
    'Local Dirtied Blocks': 0,
  }));
  const plan = nodes.reduceRight<object>((inner, node) => ({ ...node, Plans: [inner] }), {});
  return {
    name: 'a plan in levels, whose steps have the same zeros',
    kind: 'json',
    tool: shell('psql -At -f plan.sql'),
    text: JSON.stringify([{ Plan: plan, 'Execution Time': 911.25 }], undefined, 2),
    facts: [
      '"Temp Read Blocks": 5512',
      '"Actual Rows": 1843112',
      '"Execution Time": 911.25',
      '"Parallel Aware": false (14)',
    ],
  };
}

function describedFonts(): CorpusEntry {
  const make = new Maker(16);
  const names = make.list(9, () => `${make.word()}-${make.word()}`);
  const records = names.map((name, index) => [
    'Pattern has 24 elts (size 32)',
    `\tfamily: "${name}"(s)`,
    `\tfile: "/usr/share/fonts/${name}.ttf"(s)`,
    ...['weight', 'width', 'slant', 'index', 'order'].map(
      (key) => `\t${key}: ${index === 6 && key === 'slant' ? 110 : 80}(i)(s)`,
    ),
    ...['scalable', 'outline', 'variable', 'color'].map((key) => `\t${key}: False(s)`),
    '\tcharset:',
    ...make.list(24, (row) => `\t${row}0: ${make.hex(8)} ${make.hex(8)} ${make.hex(8)} ${make.hex(8)}`),
    '(s)',
  ]);
  return {
    name: 'fonts with what each can do',
    kind: 'records',
    tool: shell('fc-list -v'),
    text: records.map((record) => record.join('\n')).join('\n\n'),
    facts: ['9 rows', 'slant: 110(i)(s)', ...names],
  };
}

function assignments(): CorpusEntry {
  const make = new Maker(17);
  const records = make.list(160, (index) => [
    `    id = ${index + 300}`,
    `   sku = ${make.word()}-${index}`,
    `   qty = ${index === 91 ? 9000 : make.number(1, 8)}`,
    `status = ${index === 33 ? 'chargeback' : make.pick(['paid', 'sent'])}`,
  ]);
  return {
    name: 'rows of a database as assignments',
    kind: 'records',
    tool: shell("sqlite3 -line shop.db 'select * from orders'"),
    text: records.map((record) => record.join('\n')).join('\n\n'),
    facts: ['160 rows', 'status = chargeback', 'qty = 9000', 'id = 391'],
  };
}
