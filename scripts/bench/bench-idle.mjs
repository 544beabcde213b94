/**
 * Measures what callers cost that only wait: readers of `/log/stream`, and completions whose upstream has fallen silent.
 * Fails if one of them cannot be opened, if readers miss a record, if a completion holds more heap than it should, or if
 * descriptors and memory do not come back. Linux only; needs `ulimit -n` above the number of readers and twice that of
 * completions.
 *
 *     npm run bench:idle -- [--readers N, 10000 by default] [--completions N, 5000 by default]
 */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BenchProcesses } from './kit/processes.mjs';

const KIB = 2 ** 10;
const BACK_WITHIN_MS = 60_000;
/** Heap that a completion may hold while it waits: what it holds, and a tenth. */
const COMPLETION_KIB = 44;
/** Heap that may remain of all callers together, once they have left. */
const HEAP_REST_MIB = 20;

const { values: options } = parseArgs({
  options: {
    readers: { type: 'string', default: '10000' },
    completions: { type: 'string', default: '5000' },
  },
});
const problems = [];
const processes = new BenchProcesses();
try {
  const upstream = await processes.startPart('soak-upstream');
  const gateway = await processes.startGateway({
    upstreamUrl: upstream.url,
    isProbed: true,
    env: {
      POOL_MAX_SESSIONS: '10000',
      POOL_MAX_SESSIONS_PER_ACCOUNT: '10000',
      UPSTREAM_IDLE_MS: '3600000',
      UPSTREAM_PROGRESS_MS: '3600000',
    },
  });
  const load = processes.fork('idle-load');
  const { origin } = new URL(gateway.url);
  const completion = { url: `${gateway.url}/chat/completions`, body: bodyOf('idle') };
  // The first callers load code and grow tables, which all later ones share.
  await measure({ gateway, load, what: 'warm-up', count: 100, target: completion, isCounted: false });
  const readers = { url: `${origin}/log/stream` };
  await measure({
    gateway,
    load,
    what: 'log readers',
    count: Number(options.readers),
    target: readers,
    areReaders: true,
  });
  await measure({
    gateway,
    load,
    what: 'completions',
    count: Number(options.completions),
    target: completion,
    limitKib: COMPLETION_KIB,
  });
} finally {
  await processes.end();
}
problems.forEach((problem) => console.error(problem));
process.exitCode = problems.length > 0 ? 1 : 0;

async function measure({
  gateway,
  load,
  what,
  count,
  target,
  isCounted = true,
  areReaders = false,
  limitKib = Infinity,
}) {
  const before = await gateway.probe();
  const { opened, firstProblem } = await tell(load, { open: { ...target, count } });
  const during = await gateway.probe();
  const answerMs = await timeOne(gateway.url);
  if (areReaders) {
    await expectAllToReceive(load, gateway.url, count);
  }
  await tell(load, { close: true });
  const { after, backMs } = await untilBack(gateway, before);
  if (!isCounted) {
    return;
  }
  const each = (name) => `${((during[name] - before[name]) / count / KIB).toFixed(1)} KiB`;
  console.log(
    `${opened} ${what}: ${each('rssBytes')} RSS and ${each('heapBytes')} heap each; a completion beside them ${answerMs.toFixed(0)} ms; ` +
      `descriptors ${before.descriptors}, ${during.descriptors}, ${after.descriptors} after ${(backMs / 1000).toFixed(1)} s; ` +
      `heap ${mebibytes(before)}, ${mebibytes(during)}, ${mebibytes(after)} MiB`,
  );
  const eachKib = (during.heapBytes - before.heapBytes) / count / KIB;
  if (eachKib > limitKib) {
    problems.push(`${what} hold ${eachKib.toFixed(1)} KiB of heap each, more than ${limitKib}`);
  }
  if (opened < count) {
    problems.push(`${count - opened} ${what} could not be opened, the first: ${firstProblem}`);
  }
  if (after.descriptors > before.descriptors) {
    problems.push(`${after.descriptors - before.descriptors} descriptors of ${what} did not come back`);
  }
  if (mebibytes(after) - mebibytes(before) > HEAP_REST_MIB) {
    problems.push(`The heap of ${what} did not come back`);
  }
}

/** Waits until descriptors and heap are as before. */
async function untilBack(gateway, before) {
  const began = performance.now();
  for (;;) {
    await wait(500);
    const after = await gateway.probe();
    const backMs = performance.now() - began;
    const isBack =
      after.descriptors <= before.descriptors && mebibytes(after) - mebibytes(before) <= HEAP_REST_MIB;
    if (isBack || backMs > BACK_WITHIN_MS) {
      return { after, backMs };
    }
  }
}

/** Each reader receives the record of a completion. */
async function expectAllToReceive(load, url, count) {
  await tell(load, { reset: true });
  await timeOne(url);
  const began = performance.now();
  let seen = 0;
  while (seen < count && performance.now() - began < BACK_WITHIN_MS) {
    await wait(500);
    seen = (await tell(load, { count: true })).receivers;
  }
  if (seen < count) {
    problems.push(`Only ${seen} of ${count} readers received the record of a completion`);
  }
}

async function timeOne(url) {
  const began = performance.now();
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body: bodyOf('whole') });
  const text = await response.text();
  if (!text.endsWith('data: [DONE]\n\n')) {
    problems.push(`A completion beside them failed: ${response.status}`);
  }
  return performance.now() - began;
}

async function tell(load, message) {
  load.send(message);
  const [answer] = await once(load, 'message');
  return answer;
}

function bodyOf(content) {
  return JSON.stringify({ model: 'svc-max', messages: [{ role: 'user', content }] });
}

function mebibytes({ heapBytes }) {
  return Math.round(heapBytes / 2 ** 20);
}
