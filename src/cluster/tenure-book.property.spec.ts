import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ClockReading } from '../common/time/clock.js';
import { type Grant, TenureBook } from './tenure-book.js';
import { TenureClock } from './tenure-clock.js';

const LEASE_MS = 3000;
const SHARES = ['a', 'b'].flatMap((account) => [0, 1].map((share) => ({ account, share })));

/** A beat on its way to the engine; whoever sent it may have stopped waiting for the answer. */
interface Sent {
  readonly node: Node;
  readonly at: ClockReading;
  readonly release: readonly Grant[];
  readonly claim: number;
}

function noRows() {
  return SHARES.map((share) => ({ ...share, node: undefined as Node | undefined, term: 0, until: 0 }));
}

/** The engine as `beat-statement.ts` uses it: one row a share, and its own time. */
class Engine {
  time = 1_000_000;
  openedAt = -Infinity;
  rows = noRows();

  /** What a standby has, which follows with a delay. */
  private copied = noRows();

  copy(): void {
    this.copied = this.rows.map((row) => ({ ...row }));
  }

  /** The standby takes its place: what happened since the last copy is lost. */
  promote(): void {
    this.openedAt = this.time;
    this.rows = this.copied.map((row) => ({ ...row }));
  }

  /** Another server in its place that has lost everything. */
  replace(): void {
    this.openedAt = this.time;
    this.rows = noRows();
  }

  carryOut({ node, release, claim }: Sent): Grant[] {
    const now = this.time;
    const isGivenUp = (row: Grant) =>
      release.some((one) => one.account === row.account && one.share === row.share && one.term === row.term);
    const mine = this.rows.filter((row) => row.node === node && row.until > now && !isGivenUp(row));
    const free = this.rows.filter((row) => row.node === undefined || row.until < now);
    const taken = this.openedAt + LEASE_MS < now ? free.slice(0, claim) : [];
    for (const row of this.rows.filter((one) => one.node === node && isGivenUp(one))) {
      row.node = undefined;
    }
    for (const row of [...mine, ...taken]) {
      row.until = now + LEASE_MS;
    }
    for (const row of taken) {
      row.node = node;
      row.term = Math.max(row.term + 1, Math.round(now * 1000));
    }
    return [...mine, ...taken].map(({ account, share, term }) => ({
      account,
      share,
      term,
      isAskedFor: true,
    }));
  }
}

/** One gateway with a clock of its own, which drifts, and stands still while the machine is suspended. */
class Node {
  readonly book = new TenureBook(new TenureClock(LEASE_MS));
  monotonic = 0;
  wall: number;

  constructor(
    readonly rate: number,
    readonly name: number,
  ) {
    this.wall = name * 1e6;
  }

  get reading(): ClockReading {
    return { monotonic: this.monotonic, wall: this.wall };
  }

  pass(ms: number, isSuspended: boolean): void {
    this.wall += ms * this.rate;
    this.monotonic += isSuspended ? 0 : ms * this.rate;
  }

  usable(): readonly Grant[] {
    return ['a', 'b'].flatMap((account) =>
      this.book.of(account).held.filter((share) => this.book.isHeld(share, this.reading)),
    );
  }
}

const node = fc.nat(2);
/** Milliseconds, often about the end of a lease or the margin before it. */
const duration = fc.oneof(fc.nat(1000), fc.nat(8000), fc.integer({ min: 2400, max: 3050 }));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('beat' as const), node, claim: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lost' as const), node, claim: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('late' as const), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('leave' as const),
      node,
      least: fc.nat(4),
      isAtRest: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: duration }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('suspend' as const), node, ms: duration }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('copy' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('promote' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Run {
  readonly engine = new Engine();
  readonly nodes: readonly Node[];
  /** Beats whose sender gave up waiting, and which the engine may still carry out. */
  readonly ghosts: Sent[] = [];
  readonly highest = new Map<string, number>();
  /** Number of times that a node was seen to hold a share. */
  held = 0;

  constructor(rates: readonly number[]) {
    this.nodes = rates.map((rate, name) => new Node(rate, name));
  }

  take(next: Step): void {
    switch (next.do) {
      case 'beat': {
        const sent = this.send(next.node, next.claim);
        // The answer takes its time, too.
        const grants = this.engine.carryOut(sent);
        this.pass(40);
        sent.node.book.beatAnswered(grants, sent.at);
        break;
      }
      case 'lost':
        this.ghosts.push(this.send(next.node, next.claim));
        break;
      case 'late': {
        const [ghost] = this.ghosts.splice(next.which, 1);
        if (ghost) {
          this.engine.carryOut(ghost);
        }
        break;
      }
      case 'leave': {
        const { book, reading } = this.nodes[next.node]!;
        book.giveWay(
          next.least,
          () => next.isAtRest,
          reading,
          () => false,
        );
        book.releaseLeaving(() => true);
        break;
      }
      case 'pass':
        this.pass(next.ms);
        break;
      case 'suspend':
        this.pass(next.ms, this.nodes[next.node]);
        break;
      case 'replace':
        this.engine.replace();
        break;
      case 'copy':
        this.engine.copy();
        break;
      case 'promote':
        this.engine.promote();
        break;
    }
    this.check();
  }

  private send(which: number, claim: number): Sent {
    const sender = this.nodes[which]!;
    const sent = { node: sender, at: sender.reading, release: sender.book.toRelease, claim };
    this.pass(20);
    return sent;
  }

  private pass(ms: number, suspended?: Node): void {
    this.engine.time += ms;
    this.nodes.forEach((one) => one.pass(ms, one === suspended));
  }

  /** No share has two holders, and nobody holds one under a lower term than somebody before. */
  private check(): void {
    const holders = new Map<string, Node>();
    for (const one of this.nodes) {
      for (const { account, share, term } of one.usable()) {
        const key = `${account} ${share}`;
        if (holders.has(key) || term < (this.highest.get(key) ?? 0)) {
          throw new Error(`${key} is used by node ${one.name} under term ${term}, too`);
        }
        holders.set(key, one);
        this.held += 1;
        this.highest.set(key, term);
      }
    }
  }
}

describe('TenureBook and TenureClock, over an engine that loses, delays and forgets', () => {
  it('never give two nodes one share, and terms only grow', () => {
    let held = 0;
    const rate = fc.double({ min: 0.95, max: 1.05, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(rate, { minLength: 3, maxLength: 3 }),
        fc.array(step, { minLength: 10, maxLength: 120 }),
        (rates, steps) => {
          const run = new Run(rates);
          steps.forEach((next) => run.take(next));
          held += run.held;
        },
      ),
      { numRuns: 20_000 },
    );
    expect(held).toBeGreaterThan(3000);
  });
});
