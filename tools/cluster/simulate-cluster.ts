import { parseArgs } from 'node:util';
import { ModelEngine } from './model-engine.js';
import { ModelNode } from './model-node.js';

/*
 * Simulates many nodes with the real decisions about tenures over a model of the database, in synthetic time:
 *
 *     npm run simulate:cluster [-- --nodes N] [--accounts N] [--rate N]
 *
 * Prints what the nodes ask of the database, how fairly accounts are divided, and how long accounts are out of use when a
 * node dies, joins, or the database is away.
 */
const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '50' },
    accounts: { type: 'string', default: '2000' },
    /** Requests a second. */
    rate: { type: 'string', default: '5000' },
  },
});
const STEP_MS = 20;
const LEASE_MS = 15_000;
const REQUEST_MS = 1200;
const accounts = Number(options.accounts);
const rate = Number(options.rate);
const nodes: ModelNode[] = [];
const byId = new Map<string, ModelNode>();
const engine = new ModelEngine(accounts, LEASE_MS, (id) => byId.get(id)?.nudge());
/** Relative weight of a node in the load; 1 by default. */
const weights = new Map<ModelNode, number>();

interface Window {
  readonly seconds: number;
  readonly statements: number;
  /** Most statements in one tenth of a second. */
  readonly peak: number;
  readonly moved: number;
  readonly longestQueue: number;
}

function join(count: number): void {
  for (let at = 0; at < count; at++) {
    const node = new ModelNode(`n${nodes.length}`, engine, LEASE_MS);
    nodes.push(node);
    byId.set(node.id, node);
  }
}

function holders(): (string | undefined)[] {
  return engine.rows.map(({ node, until }) => (until > engine.now ? node : undefined));
}

function usable(): number {
  return nodes.reduce((sum, node) => sum + node.held, 0);
}

function poisson(mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = Math.random(); product > limit; product *= Math.random()) {
    count += 1;
  }
  return count;
}

/** Lets time pass until a condition holds, and for some seconds at most. */
function run(seconds: number, isDone: () => boolean = () => false): Window {
  const from = engine.now;
  const before = holders();
  const counted = () => engine.beats + engine.askings;
  const first = counted();
  const steps: number[] = [];
  let longestQueue = 0;
  while (engine.now - from < seconds * 1000 && !isDone()) {
    const at = counted();
    engine.now += STEP_MS;
    const alive = nodes.filter(({ isAlive }) => isAlive);
    const total = alive.reduce((sum, node) => sum + (weights.get(node) ?? 1), 0);
    for (const node of alive) {
      const mean = ((rate * STEP_MS) / 1000) * ((weights.get(node) ?? 1) / total);
      node.step(poisson(mean), STEP_MS / REQUEST_MS);
      longestQueue = Math.max(longestQueue, node.waiting);
    }
    steps.push(counted() - at);
  }
  const perTenth = 100 / STEP_MS;
  const peak = Math.max(
    0,
    ...steps.map((_, at) => steps.slice(at, at + perTenth).reduce((sum, one) => sum + one, 0)),
  );
  const after = holders();
  return {
    seconds: (engine.now - from) / 1000,
    statements: counted() - first,
    peak,
    moved: after.filter((node, at) => node !== before[at]).length,
    longestQueue,
  };
}

function report(what: string, { seconds, statements, peak, moved, longestQueue }: Window): void {
  const held = nodes.filter(({ isAlive }) => isAlive).map((node) => node.held);
  process.stdout.write(
    `${what}: ${seconds.toFixed(2)} s, ${(statements / Math.max(seconds, STEP_MS / 1000)).toFixed(0)} statements/s ` +
      `(most in 0.1 s: ${peak}), ${moved} accounts moved, ${Math.min(...held)}–${Math.max(...held)} a node, ` +
      `longest queue ${longestQueue}\n`,
  );
}

join(Number(options.nodes));
report(
  'start of all nodes, until all accounts are in use',
  run(60, () => usable() === accounts),
);
report('settling', run(30));
report('steady', run(60));
const victim = nodes[0]!;
const orphans = engine.rows.filter(({ node }) => node === victim.id);
victim.isAlive = false;
const isAdopted = () => orphans.every(({ node, until }) => node !== victim.id && until > engine.now);
report('one node killed, until its accounts serve elsewhere', run(60, isAdopted));
report('after it', run(20));
join(5);
const fair = Math.floor(accounts / nodes.filter(({ isAlive }) => isAlive).length);
// A node that has lent of its part, having no use for it, is content with less.
report(
  'five nodes join, until each has nine tenths of its part',
  run(60, () => nodes.slice(-5).every(({ held }) => held >= 0.9 * fair)),
);
report('after them', run(20));
engine.isUp = false;
report('the database away for 10 s', run(10));
engine.isUp = true;
report('back from it', run(20));
engine.isUp = false;
report('the database away for 30 s', run(30));
engine.isUp = true;
report(
  'back from it, until 99 % of the accounts are in use',
  run(60, () => usable() >= 0.99 * accounts),
);
report('after it, until what has waited is served', run(90));
const busy = nodes[1]!;
weights.set(busy, 4);
report('one node with four times the load', run(60));
process.stdout.write(`it holds ${busy.held} accounts, and ${busy.waiting} of its requests wait\n`);
weights.clear();
report('even load again', run(60));
