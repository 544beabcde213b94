/**
 * Measures the compression of tool results by kind: megabytes a second, and the median and the 99th percentile of the
 * time for 100,000 characters. Processor time of the thread, so that the load of the machine does not count.
 *
 *     npm run bench:compression [-- kind …]
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { condense } from '../../dist/chat/compression/tool-result-compressor.js';

const SIZE = 100_000;
const RUNS = 200;
const WARM_UP = 30;

const RECORDED = {
  'git log': ['git-log', 'git log'],
  diff: ['git-diff', 'git diff'],
  search: ['grep-many', 'grep -rn readonly src'],
  paths: ['find-many', 'find node_modules'],
  listing: ['ls-recursive', 'ls -lR src'],
  processes: ['ps', 'ps aux'],
  'test output': ['jest-verbose', 'npm test'],
  diagnostics: ['eslint', 'npx eslint .'],
};

/** Text and command by kind of result. */
const KINDS = {
  ...Object.fromEntries(
    Object.entries(RECORDED).map(([kind, [file, command]]) => [kind, [repeated(recorded(file)), command]]),
  ),
  html: [
    `<!doctype html><html><body>${lines((i) => `<div class="card"><h2 id="n${i}"><a href="/n/${i}">Item ${i}</a></h2><p class="copy">It costs ${(i * 37) % 1000} and comes in ${i % 7} sizes.</p></div>`)}</body></html>`,
    'curl',
  ],
  json: [`[${lines(row, ',\n')}]`, 'curl'],
  'json lines': [lines(row), 'cat events.jsonl'],
  table: [
    `id,name,state,cost\n${lines((i) => `${i},name ${i},${i % 3 ? 'ok' : 'new'},${(i * 37) % 1000}.5`)}`,
    'cat a.csv',
  ],
  xml: [
    `<rows>${lines((i) => `<row id="${i}"><name>n${i}</name><cost>${(i * 37) % 1000}</cost></row>`)}</rows>`,
    'curl',
  ],
  log: [
    lines((i) => `2025-03-10T08:00:00.${i % 1000}Z INFO [http] GET /items/${i} ${(i * 37) % 90} ms`),
    './serve',
  ],
  'lines that all differ': [lines((i) => words(i)), './run'],
  'one long line': ['x y '.repeat(SIZE / 4), './run'],
  'a file that is read': [lines((i) => `export const value${i} = load(${i});`), 'cat a.ts'],
};

const wanted = process.argv.slice(2);
console.log('kind'.padEnd(24), 'MB/s'.padStart(8), 'p50 ms'.padStart(8), 'p99 ms'.padStart(8));
for (const [kind, [text, command]] of Object.entries(KINDS)) {
  if (wanted.length === 0 || wanted.includes(kind)) {
    report(kind, text, { name: 'bash', arguments: JSON.stringify({ command }) });
  }
}

function report(kind, text, tool) {
  const times = [];
  for (let run = 0; run < WARM_UP + RUNS; run++) {
    const start = process.threadCpuUsage();
    condense(text, tool);
    const { user, system } = process.threadCpuUsage(start);
    times.push((user + system) / 1000);
  }
  const sorted = times.slice(WARM_UP).sort((a, b) => a - b);
  const total = sorted.reduce((sum, ms) => sum + ms, 0);
  const speed = (text.length * RUNS) / 1000 / total;
  const at = (part) => sorted[Math.floor((sorted.length - 1) * part)].toFixed(1).padStart(8);
  console.log(kind.padEnd(24), speed.toFixed(1).padStart(8), at(0.5), at(0.99));
}

function recorded(name) {
  return readFileSync(
    join(import.meta.dirname, '..', '..', 'test', 'compression', 'recorded', `${name}.txt`),
    'utf8',
  );
}

function repeated(text) {
  const whole = text.repeat(Math.ceil(SIZE / text.length));
  return whole.slice(0, whole.lastIndexOf('\n', SIZE) + 1);
}

function lines(line, separator = '\n') {
  const parts = [];
  for (let i = 0, length = 0; length < SIZE; i++) {
    parts.push(line(i));
    length += parts[i].length + separator.length;
  }
  return parts.join(separator);
}

function row(i) {
  const state = i === 100 ? 'failed' : 'ok';
  return JSON.stringify({
    id: i,
    name: words(i),
    state,
    cost: (i * 37) % 1000,
    user: { id: i % 7, tags: ['a', 'b'] },
  });
}

/** Six words that are different in every line. */
function words(i) {
  return Array.from({ length: 6 }, (_, at) =>
    ((i + 1) * (at + 3) * 2_654_435_761).toString(36).replace(/[0-9.]/g, 'e'),
  ).join(' ');
}
