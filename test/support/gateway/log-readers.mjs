/**
 * Readers of the log in a process of their own: `node log-readers.mjs PORT READERS STALLED`. Says `{ open }` when all
 * streams have begun; on any message answers `{ fewest, most, lagMs, closed }`: the events of the readers who read, how
 * late they came in the worst of 100 cases, and how many streams of those who do not read have ended.
 */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

const [port, readers, stalled] = process.argv.slice(2).map(Number);
const REQUEST = 'GET /log/stream?content=0 HTTP/1.1\r\nHost: localhost\r\n\r\n';
const counts = new Array(readers).fill(0);
const lags = [];
/** Connections that are being opened at a time: fewer than the 511 that a busy server's queue holds. */
const AT_ONCE = 200;
let begun = 0;
let open = 0;
let closed = 0;

function opened() {
  open += 1;
  if (open === readers + stalled) {
    process.send({ open });
  } else if (begun < readers + stalled) {
    follow(begun++);
  }
}

function follow(index) {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1').write(REQUEST);
  let rest = '';
  let isOpen = false;
  socket.once('data', () => {
    isOpen = true;
    opened();
  });
  socket.on('error', (error) => {
    if (!isOpen) {
      throw error;
    }
  });
  socket.on('data', (text) => {
    if (index >= readers) {
      socket.pause();
      return;
    }
    rest += text;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const event = rest.slice(0, end);
      rest = rest.slice(end + 2);
      if (event.includes('"outcome":"ok"')) {
        counts[index] += 1;
        const [, startedAt, totalMs] = /"startedAt":(\d+).*"totalMs":(\d+)/.exec(event) ?? [];
        lags.push(performance.timeOrigin + performance.now() - Number(startedAt) - Number(totalMs));
      }
    }
  });
  socket.on('close', () => (closed += index >= readers ? 1 : 0));
}

while (begun < Math.min(AT_ONCE, readers + stalled)) {
  follow(begun++);
}

process.on('message', () => {
  const sorted = [...lags].sort((a, b) => a - b);
  process.send({
    fewest: Math.min(...counts),
    most: Math.max(...counts),
    lagMs: sorted[Math.floor(sorted.length * 0.99)],
    closed,
  });
});
