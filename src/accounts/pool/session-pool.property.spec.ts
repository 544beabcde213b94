import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { rigOf } from '../../../test/support/gateway/accounts-rig.js';
import { UnavailableError } from '../../upstream/upstream.errors.js';
import { type Lease } from './lease.js';

const ACCOUNTS = 3;
const MAX_PER_ACCOUNT = 2;
const MAX_SESSIONS = 5;
const QUEUE_LIMIT = 6;

type Step =
  | { readonly do: 'acquire'; readonly model: string }
  | { readonly do: 'release' | 'break' | 'abort'; readonly which: number }
  | { readonly do: 'limit'; readonly account: number; readonly model: string | undefined }
  | { readonly do: 'disable' | 'enable'; readonly account: number }
  | { readonly do: 'failOpenings'; readonly fails: boolean }
  | { readonly do: 'wait'; readonly ms: number };

const which = fc.nat(20);
const account = fc.nat(ACCOUNTS - 1);
const model = fc.constantFrom('m', 'n');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('acquire' as const), model }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('release' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('break' as const, 'abort' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('disable' as const, 'enable' as const),
      account,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('limit' as const),
      account,
      model: fc.option(model, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('failOpenings' as const), fails: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(900) }) },
);

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const LIMITS = {
  POOL_MAX_SESSIONS_PER_ACCOUNT: MAX_PER_ACCOUNT,
  POOL_MAX_SESSIONS: MAX_SESSIONS,
  POOL_QUEUE_LIMIT: QUEUE_LIMIT,
  POOL_ACQUIRE_TIMEOUT_MS: 5000,
  POOL_IDLE_MS: 2000,
  RATE_LIMIT_COOLDOWN_MS: 1500,
};

/** One run of random steps against a pool, from the view of its callers. */
class Run {
  readonly held: Lease[] = [];
  readonly waiting = new Map<number, AbortController>();
  /** Numbers of the served requests, by model. */
  readonly servedOrder: Record<string, number[]> = { m: [], n: [] };
  settled = 0;
  asked = 0;
  private failsOpenings = false;

  constructor(readonly kit: Awaited<ReturnType<typeof rigOf>>) {
    kit.driver.onOpen = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      if (this.failsOpenings) {
        throw new UnavailableError('launch_failed', 'x');
      }
    };
  }

  async take(next: Step): Promise<void> {
    const { rig } = this.kit;
    switch (next.do) {
      case 'acquire':
        this.acquire(next.model);
        break;
      case 'release':
        this.held.splice(next.which % Math.max(1, this.held.length), 1).forEach((lease) => lease.release());
        break;
      case 'break': {
        const session = [...this.kit.driver.sessions][next.which];
        if (session) {
          session.isUsable = false;
        }
        break;
      }
      case 'abort':
        [...this.waiting.values()][next.which]?.abort();
        break;
      case 'limit':
        rig.health.coolDown(rig.registry.list()[next.account]!, undefined, 'limit', next.model);
        break;
      case 'disable':
        await rig.commands.disable(null, rig.registry.list()[next.account]!.id);
        break;
      case 'enable':
        await rig.commands.enable(null, rig.registry.list()[next.account]!.id);
        break;
      case 'failOpenings':
        this.failsOpenings = next.fails;
        break;
      case 'wait':
        await jest.advanceTimersByTimeAsync(next.ms);
        break;
    }
    await jest.advanceTimersByTimeAsync(0);
    this.check();
  }

  async end(): Promise<void> {
    this.failsOpenings = false;
    while (this.settled < this.asked) {
      this.held.splice(0).forEach((lease) => lease.release());
      await jest.advanceTimersByTimeAsync(500);
      this.check();
    }
    this.held.splice(0).forEach((lease) => lease.release());
    await jest.advanceTimersByTimeAsync(10_000);
    expect(this.kit.rig.pool.stats()).toMatchObject({ leases: 0, waiting: 0, opening: 0 });
    await this.kit.rig.close();
    expect(this.kit.driver.sessions.size).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  }

  private acquire(wanted: string): void {
    const number = this.asked++;
    const controller = new AbortController();
    this.waiting.set(number, controller);
    this.kit.rig.pool
      .acquire({ model: wanted, tried: new Set() }, controller.signal)
      .then(
        (lease) => {
          expect(lease.account.cooldown.isCooling(this.kit.rig.clock.monotonic(), wanted)).toBe(false);
          expect(lease.account.isUsable && lease.session.isUsable).toBe(true);
          this.servedOrder[wanted]?.push(number);
          this.held.push(lease);
        },
        () => undefined,
      )
      .finally(() => {
        this.waiting.delete(number);
        this.settled += 1;
      });
  }

  private check(): void {
    const { rig, driver } = this.kit;
    const stats = rig.pool.stats();
    expect(stats.leases).toBe(this.held.length);
    expect(new Set(this.held.map(({ session }) => session)).size).toBe(this.held.length);
    expect(stats.sessions).toBe(driver.sessions.size);
    expect(stats.sessions + stats.opening).toBeLessThanOrEqual(MAX_SESSIONS);
    for (const { sessions, opening } of Object.values(stats.accounts)) {
      expect(sessions + opening).toBeLessThanOrEqual(MAX_PER_ACCOUNT);
    }
    expect(stats.waiting).toBe(this.waiting.size);
    // Of each of the two models: those that wait for the end of a cooldown do not count for the other.
    expect(stats.waiting).toBeLessThanOrEqual(2 * QUEUE_LIMIT);
    for (const numbers of Object.values(this.servedOrder)) {
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  }
}

describe('SessionPool, under random events', () => {
  it('loses no lease, keeps its caps, serves in order, and settles every request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const run = new Run(await rigOf(ACCOUNTS, LIMITS));
        for (const next of steps) {
          await run.take(next);
        }
        await run.end();
      }),
      { numRuns: 60 },
    );
  });
});
