import { call, type CorpusEntry, Maker, shell } from './corpus-entry.js';

export const logResults: readonly CorpusEntry[] = [
  accessLog(),
  serviceLog(),
  javaLog(),
  systemLog(),
  composeLog(),
  pipelineLog(),
  keyValueLog(),
  quietLog(),
  hugeLog(),
  coloured(),
];

function accessLog(): CorpusEntry {
  const make = new Maker(21);
  const lines = make.list(2500, (index) => {
    const status = index === 777 ? 503 : index % 500 === 250 ? 404 : 200;
    const size = index === 1234 ? 98_765_432 : make.number(500, 9000);
    const path = `/api/v1/${make.pick(['users', 'orders', 'items'])}/${make.number(1, 9999)}`;
    return `10.0.${make.number(0, 9)}.${make.number(1, 250)} - - [10/Mar/2025:08:${String(Math.floor(index / 60) % 60).padStart(2, '0')}:${String(index % 60).padStart(2, '0')} +0000] "GET ${path} HTTP/1.1" ${status} ${size} "-" "curl/8.${make.number(1, 4)}"`;
  });
  const find = (index: number): string => lines[index] ?? '';
  return {
    name: 'an access log',
    kind: 'log',
    tool: shell('tail -n 2500 /var/log/nginx/access.log'),
    text: lines.join('\n'),
    facts: [find(0), find(2499), find(777), find(1234), find(250)],
  };
}

function serviceLog(): CorpusEntry {
  const make = new Maker(22);
  const stack = ['    at Pool.acquire (src/pool.ts:88:13)', '    at Service.load (src/service.ts:41:9)'];
  const lines = make.list(1500, (index) => {
    if (index === 640) {
      return [
        `${make.time(index)} ERROR [db] TimeoutError: no connection within 5000 ms (request 7f3a)`,
        ...stack,
      ].join('\n');
    }
    if (index === 900) {
      return `${make.time(index)} WARN [cache] eviction rate above 80 %`;
    }
    return `${make.time(index)} INFO [http] ${make.pick(['GET', 'POST'])} /items/${make.number(1, 999)} ${make.number(2, 60)} ms`;
  });
  return {
    name: 'a service log with a stack',
    kind: 'log',
    tool: call('get_logs', { service: 'items' }),
    text: [
      `${make.time(0)} INFO [main] listening on :8080 (version 4.2.1)`,
      ...lines,
      `${make.time(1600)} INFO [main] shutting down, exit code 1`,
    ].join('\n'),
    facts: [
      'listening on :8080 (version 4.2.1)',
      'TimeoutError: no connection within 5000 ms (request 7f3a)',
      ...stack,
      'eviction rate above 80 %',
      make.time(640),
      make.time(900),
      'exit code 1',
      make.time(1600),
    ],
  };
}

function javaLog(): CorpusEntry {
  const make = new Maker(23);
  const trace = [
    'java.lang.IllegalStateException: Ledger 9912 is closed',
    '\tat com.example.ledger.Ledger.append(Ledger.java:214)',
    '\tat com.example.api.Booking.post(Booking.java:77)',
    'Caused by: java.io.IOException: No space left on device',
    '\tat com.example.store.Segment.write(Segment.java:58)',
    '\t... 31 more',
  ];
  const line = (index: number): string =>
    `2025-03-10 08:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}.${make.number(100, 999)}  INFO ${make.number(1000, 1010)} --- [exec-${make.number(1, 20)}] c.example.api.BookingController     : Booked ${make.number(10_000, 99_999)} for account ${make.number(100, 999)}`;
  const before = make.list(700, line);
  const after = make.list(700, (index) => line(index + 700));
  return {
    name: 'a Java service with an exception',
    kind: 'log',
    tool: shell('kubectl logs ledger-0'),
    text: [
      ...before,
      '2025-03-10 08:11:41.002 ERROR 1004 --- [exec-3] c.example.api.BookingController     : Booking failed',
      ...trace,
      ...after,
    ].join('\n'),
    facts: ['Booking failed', ...trace.map((each) => each.trim()), before[0] ?? '', after.at(-1) ?? ''],
  };
}

function systemLog(): CorpusEntry {
  const make = new Maker(24);
  const lines = make.list(1200, (index) => {
    const time = `Mar 10 08:${String(Math.floor(index / 20)).padStart(2, '0')}:${String((index % 20) * 3).padStart(2, '0')}`;
    if (index === 500) {
      return `${time} web1 kernel: Out of memory: Killed process 4242 (node) total-vm:2048000kB`;
    }
    if (index === 501) {
      return `${time} web1 systemd[1]: api.service: Main process exited, code=killed, status=9/KILL`;
    }
    return make.pick([
      `${time} web1 sshd[${make.number(1000, 9999)}]: Accepted publickey for ${make.pick(['ada', 'bob'])} from 10.0.0.${make.number(1, 200)} port ${make.number(30_000, 60_000)}`,
      `${time} web1 CRON[${make.number(1000, 9999)}]: (root) CMD (run-parts /etc/cron.hourly)`,
      `${time} web1 systemd[1]: Started Session ${make.number(1, 999)} of user ada.`,
    ]);
  });
  return {
    name: 'a system log',
    kind: 'log',
    tool: shell('journalctl -n 1200'),
    text: lines.join('\n'),
    facts: [
      'Out of memory: Killed process 4242 (node)',
      'api.service: Main process exited, code=killed, status=9/KILL',
      lines[0] ?? '',
      lines.at(-1) ?? '',
    ],
  };
}

function composeLog(): CorpusEntry {
  const make = new Maker(25);
  const lines = make.list(900, (index) => {
    if (index === 300) {
      return 'db-1     | FATAL:  password authentication failed for user "app"';
    }
    if (index === 610) {
      return 'worker-1 | Deprecation: option --legacy will be removed in 7.0';
    }
    return make.pick([
      `web-1    | GET /health 200 ${make.number(1, 9)}ms`,
      `worker-1 | processed batch ${make.number(1, 9999)} (${make.number(10, 99)} rows)`,
      `db-1     | checkpoint complete: wrote ${make.number(10, 999)} buffers`,
    ]);
  });
  return {
    name: 'logs of several containers',
    kind: 'log',
    tool: shell('docker compose logs --tail=900'),
    text: lines.join('\n'),
    facts: [
      'password authentication failed for user "app"',
      'option --legacy will be removed in 7.0',
      'checkpoint complete',
      'processed batch',
      'GET /health 200',
    ],
  };
}

function pipelineLog(): CorpusEntry {
  const make = new Maker(26);
  const step = (name: string, lines: readonly string[]): string[] => [
    `##[group]${name}`,
    ...lines,
    '##[endgroup]',
  ];
  const lines = [
    ...step(
      'Checkout',
      make.list(60, (index) => `remote: Counting objects: ${index}% (${index * 12}/5000)`),
    ),
    ...step(
      'Install',
      make.list(
        200,
        () =>
          `npm http fetch GET 200 https://registry.example/${make.word()} ${make.number(10, 900)}ms (cache miss)`,
      ),
    ),
    ...step('Lint', [
      'src/queue.ts',
      '  14:9  error  Unexpected any. Specify a different type  no-explicit-any',
      '✖ 1 problem (1 error, 0 warnings)',
    ]),
    '##[error]Process completed with exit code 1.',
  ];
  return {
    name: 'a pipeline that failed',
    kind: 'log',
    tool: call('get_job_logs', { job_id: 991 }),
    text: lines.map((line, index) => `${make.time(index)} ${line}`).join('\n'),
    facts: [
      '##[group]Checkout',
      '##[group]Install',
      '##[group]Lint',
      'src/queue.ts',
      '14:9  error  Unexpected any',
      '1 problem (1 error, 0 warnings)',
      'exit code 1',
    ],
  };
}

function keyValueLog(): CorpusEntry {
  const make = new Maker(27);
  const lines = make.list(1000, (index) =>
    index === 432
      ? `time="${make.time(index)}" level=error msg="snapshot failed" volume=vol-77 err="context deadline exceeded"`
      : `time="${make.time(index)}" level=info msg="${make.pick(['reconciled', 'synced', 'queued'])}" object=ns/${make.word()} duration=${make.number(1, 99)}ms`,
  );
  return {
    name: 'lines of keys and values',
    kind: 'log',
    tool: shell('journalctl -u operator'),
    text: lines.join('\n'),
    facts: [
      'snapshot failed',
      'vol-77',
      'context deadline exceeded',
      make.time(432),
      make.time(0),
      make.time(999),
      'reconciled',
      'synced',
      'queued',
    ],
  };
}

function quietLog(): CorpusEntry {
  const make = new Maker(28);
  const lines = make.list(
    400,
    (index) =>
      `[${make.time(index)}] heartbeat ok seq=${index} lag=${index === 313 ? 98_000 : make.number(1, 20)}`,
  );
  return {
    name: 'heartbeats with one that lags',
    kind: 'log',
    tool: call('read_file', { path: 'var/heartbeat.log' }),
    text: lines.join('\n'),
    facts: ['seq=0 ', 'seq=399', 'seq=313 lag=98000', '400 lines like this'],
  };
}

function hugeLog(): CorpusEntry {
  const make = new Maker(29);
  const lines = make.list(6000, (index) => {
    if (index === 5000) {
      return `${make.time(index)} CRITICAL shard 12 lost quorum (2 of 5 nodes)`;
    }
    return `${make.time(index)} DEBUG shard ${make.number(1, 32)} applied entry ${100_000 + index} term 7 from node-${make.number(1, 5)}`;
  });
  return {
    name: 'half a megabyte of debug lines',
    kind: 'log',
    tool: shell('cat logs/raft.log'),
    text: lines.join('\n'),
    facts: [
      'shard 12 lost quorum (2 of 5 nodes)',
      'applied entry 100000',
      'applied entry 105999',
      make.time(5000),
    ],
  };
}

function coloured(): CorpusEntry {
  const make = new Maker(30);
  const lines = make.list(300, (index) =>
    index === 123
      ? '\x1b[31m✖ upload of part 123 failed: 403 SignatureDoesNotMatch\x1b[0m'
      : `\x1b[32m✔\x1b[0m uploaded \x1b[1mpart ${index}\x1b[22m (${make.number(100, 999)} kB)\r`,
  );
  return {
    name: 'coloured lines with carriage returns',
    kind: 'log',
    tool: shell('./upload.sh'),
    text: `${lines.join('\n')}\n\x1b[1mDone: 299 of 300 parts\x1b[0m\n`,
    facts: ['✖ upload of part 123 failed: 403 SignatureDoesNotMatch', 'Done: 299 of 300 parts'],
  };
}
