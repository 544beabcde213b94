/**
 * F35: sends many streams of 20 chunks through the built gateway to an OpenAI-format upstream: 30 % are left by their caller,
 * 10 % fail upstream. Fails unless every stream ends as it must, every request has one terminal record, and the process
 * stays as it was after the first fifth: its memory, its heap after collection and, 10 s after the last stream, its
 * descriptors. Linux only.
 *
 *     npm run test:soak -- openai [streams, 30000 by default]
 */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchProcesses } from '../bench/kit/processes.mjs';

const CONCURRENCY = 50;
const ROUNDS = 10;
const WARM_UP_ROUNDS = 2;
const RSS_SPREAD_MIB = 40;
const HEAP_SPREAD_MIB = 5;
const DESCRIPTORS_WITHIN_MS = 10_000;
const MIB = 2 ** 20;

const streams = Number(process.argv[3] ?? 30_000);
const perRound = Math.ceil(streams / ROUNDS);
const problems = [];
const processes = new BenchProcesses();
try {
  const upstream = await processes.startPart('soak-upstream');
  const gateway = await processes.startGateway({ upstreamUrl: upstream.url, isProbed: true });
  const load = processes.fork('soak-load');
  await runRound(load, gateway.url, 0, 1);
  await wait(DESCRIPTORS_WITHIN_MS);
  const { descriptors } = await gateway.probe();
  const samples = [];
  for (let round = 0; round < ROUNDS; round++) {
    await runRound(load, gateway.url, round * perRound, perRound);
    samples.push(await gateway.probe());
    print((round + 1) * perRound, samples.at(-1));
  }
  judgeMemory(samples.slice(WARM_UP_ROUNDS));
  await judgeDescriptors(gateway, descriptors);
  await judgeRecords(new URL(gateway.url).origin, ROUNDS * perRound + 1);
} finally {
  await processes.end();
}
problems.forEach((problem) => console.error(problem));
process.exitCode = problems.length > 0 ? 1 : 0;

async function runRound(load, url, from, count) {
  load.send({ url, from, count, concurrency: CONCURRENCY });
  const [result] = await once(load, 'message');
  if (result.wrong > 0) {
    problems.push(`${result.wrong} of ${count} streams ended wrongly, the first ${result.firstWrong}`);
  }
}

function print(sent, { rssBytes, heapBytes, descriptors, timers }) {
  console.log(
    `${String(sent).padStart(6)} streams  RSS ${(rssBytes / MIB).toFixed(1)} MiB  heap ${(heapBytes / MIB).toFixed(1)} MiB  ` +
      `${descriptors} descriptors  ${timers} timers`,
  );
}

function judgeMemory(samples) {
  const judge = (what, name, limit) => {
    const sizes = samples.map((sample) => sample[name] / MIB);
    const spread = Math.max(...sizes) - Math.min(...sizes);
    console.log(`${what}: spread ${spread.toFixed(1)} MiB, at most ${limit}`);
    if (spread > limit) {
      problems.push(`${what} did not stay within ${limit} MiB`);
    }
  };
  judge('RSS', 'rssBytes', RSS_SPREAD_MIB);
  judge('Heap after collection', 'heapBytes', 2 * HEAP_SPREAD_MIB);
}

async function judgeDescriptors(gateway, before) {
  const began = performance.now();
  let after = Infinity;
  while (after > before && performance.now() - began < DESCRIPTORS_WITHIN_MS) {
    await wait(250);
    after = (await gateway.probe()).descriptors;
  }
  console.log(
    `Descriptors: ${before} before, ${after} after ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  if (after > before) {
    problems.push('Descriptors did not come back');
  }
}

/** One terminal record for each request, and as many of each outcome as were asked for. */
async function judgeRecords(origin, requests) {
  const outcomes = new Map();
  const ids = new Set();
  let next = '';
  do {
    const response = await fetch(`${origin}/log/json?limit=500&content=0${next && `&before=${next}`}`);
    const page = await response.json();
    for (const { id, outcome } of page.entries) {
      ids.add(id);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    ({ next } = page);
  } while (next !== null);
  console.log(
    `Records: ${ids.size} of ${requests}: ${[...outcomes].map((pair) => pair.join(' ')).join(', ')}`,
  );
  const wanted = { ok: 0.6, cancelled: 0.3, upstream_error: 0.1 };
  const isRight = Object.entries(wanted).every(
    ([outcome, share]) => Math.abs((outcomes.get(outcome) ?? 0) - share * requests) <= 10,
  );
  if (ids.size !== requests || outcomes.size !== Object.keys(wanted).length || !isRight) {
    problems.push('The records are not those of the streams');
  }
}
