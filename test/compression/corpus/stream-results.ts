import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

/** JSON lines, and JSON around the output of a command. */
export const streamResults: readonly CorpusEntry[] = [
  serviceLog(),
  eventsWithGaps(),
  wrappedLog(),
  cutList(),
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
