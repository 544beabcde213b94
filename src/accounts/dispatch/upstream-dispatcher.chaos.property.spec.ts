import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { type Call, rigOf } from '../../../test/support/gateway/accounts-rig.js';
import { ACCEPTED, DONE, type SentPrompt, text } from '../../../test/support/upstream/scripted-driver.js';
import { LoginRequiredError, RateLimitedError, UnavailableError } from '../../upstream/upstream.errors.js';

const LIMITS = {
  POOL_MIN_SESSIONS: 2,
  POOL_MAX_SESSIONS: 5,
  POOL_MAX_SESSIONS_PER_ACCOUNT: 2,
  POOL_QUEUE_LIMIT: 8,
  POOL_ACQUIRE_TIMEOUT_MS: 4000,
  POOL_IDLE_MS: 3000,
  RATE_LIMIT_COOLDOWN_MS: 1500,
  UPSTREAM_FIRST_BYTE_MS: 2000,
  UPSTREAM_IDLE_MS: 2000,
};

/** Outcome of an opening or a prompt. */
const FATES = ['ok', 'ok', 'ok', 'limit', 'limit 0', 'limit 700', 'wall', 'wrong', 'fail', 'hang'] as const;
type Fate = (typeof FATES)[number];

type Step =
  | { readonly do: 'call'; readonly count: number }
  | { readonly do: 'leave'; readonly which: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'fates'; readonly opening: Fate; readonly prompt: Fate }
  | { readonly do: 'operate'; readonly how: (typeof OPERATIONS)[number]; readonly which: number }
  | { readonly do: 'set'; readonly name: keyof typeof LIMITS; readonly factor: number }
  | { readonly do: 'jump'; readonly ms: number };

const OPERATIONS = ['disable', 'enable', 'login', 'update', 'remove', 'add', 'clear'] as const;

const which = fc.nat(20);
const fate = fc.constantFrom(...FATES);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('call' as const), count: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), which }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(1500) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fates' as const), opening: fate, prompt: fate }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('operate' as const), how: fc.constantFrom(...OPERATIONS), which }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      name: fc.constantFrom(...(Object.keys(LIMITS) as (keyof typeof LIMITS)[])),
      factor: fc.constantFrom(0.25, 1, 3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('jump' as const), ms: fc.integer({ min: -1e8, max: 1e8 }) }),
  },
);

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

function failureOf(fate: Fate): Error | undefined {
  switch (fate) {
    case 'limit':
      return new RateLimitedError();
    case 'limit 0':
      return new RateLimitedError(0);
    case 'limit 700':
      return new RateLimitedError(700);
    case 'wall':
      return new LoginRequiredError('login_wall', 'x');
    case 'wrong':
      return new LoginRequiredError('invalid_credentials', 'x');
    case 'fail':
      return new UnavailableError('launch_failed', 'x');
    case 'ok':
    case 'hang':
      return undefined;
  }
}

class Run {
  readonly calls = new Set<Call>();
  opening: Fate = 'ok';
  prompt: Fate = 'ok';
  opened = 0;
  added = 0;
  readonly probes = new Map<string, Set<SentPrompt>>();

  constructor(readonly kit: Awaited<ReturnType<typeof rigOf>>) {
    const { driver, rig } = kit;
    driver.onOpen = async (_account, signal) => {
      const { opening } = this;
      this.opened += 1;
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        if (opening !== 'hang') {
          setTimeout(resolve, 20);
        }
      });
      const failure = failureOf(opening);
      if (failure) {
        throw failure;
      }
    };
    driver.onPrompt = (prompt) => this.answer(prompt);
    rig.pool.onApplicationBootstrap();
  }

  async take(next: Step): Promise<void> {
    const { rig } = this.kit;
    switch (next.do) {
      case 'call':
        for (let count = 0; count < next.count; count += 1) {
          const call = rig.call();
          this.calls.add(call);
          void call.ended.then(() => this.calls.delete(call));
        }
        break;
      case 'leave':
        [...this.calls][next.which]?.abort();
        break;
      case 'wait':
        await jest.advanceTimersByTimeAsync(next.ms);
        break;
      case 'fates':
        this.opening = next.opening;
        this.prompt = next.prompt;
        break;
      case 'operate':
        await this.operate(next.how, next.which);
        break;
      case 'set':
        rig.settings[next.name] = Math.max(1, Math.floor(LIMITS[next.name] * next.factor));
        rig.settings.POOL_MIN_SESSIONS = Math.min(
          rig.settings.POOL_MIN_SESSIONS,
          rig.settings.POOL_MAX_SESSIONS,
        );
        rig.pool.balance();
        break;
      case 'jump':
        jest.setSystemTime(Date.now() + next.ms);
        break;
    }
    await jest.advanceTimersByTimeAsync(0);
    this.check();
  }

  /** From here on everything works: each request is served or refused, and the pool comes to rest. */
  async end(): Promise<void> {
    const { rig, driver } = this.kit;
    this.opening = this.prompt = 'ok';
    Object.assign(rig.settings, LIMITS);
    rig.pool.balance();
    for (const { id } of rig.registry.list()) {
      await rig.commands.enable(null, id);
      await rig.commands.login(null, id);
    }
    for (let second = 0; second < 90; second += 1) {
      await jest.advanceTimersByTimeAsync(1000);
      this.check();
    }
    expect(this.calls.size).toBe(0);
    expect(rig.pool.stats()).toMatchObject({
      leases: 0,
      waiting: 0,
      opening: 0,
      sessions: LIMITS.POOL_MIN_SESSIONS,
    });
    // If the breaker is open, this request is its trial.
    rig.call();
    await jest.advanceTimersByTimeAsync(1000);
    const late = Array.from({ length: 6 }, () => rig.call());
    await jest.advanceTimersByTimeAsync(6000);
    expect(late.map(({ outcome }) => outcome)).toEqual(late.map(() => 'completed'));
    expect(rig.pool.stats()).toMatchObject({ leases: 0, waiting: 0, opening: 0 });
    await rig.close();
    expect(driver.sessions.size).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  }

  private async operate(how: (typeof OPERATIONS)[number], which: number): Promise<void> {
    const { commands, registry } = this.kit.rig;
    const all = registry.list();
    const account = all[which % all.length];
    if (how === 'add') {
      await commands.add(null, `added-${(this.added += 1)}`, { key: 'k' });
    } else if (account && how === 'clear') {
      await commands.clearCooldown(null, account.id);
    } else if (account && how === 'update' && account.source === 'operator') {
      await commands.update(null, account.id, { key: 'new' });
    } else if (account && how === 'remove' && account.source === 'operator') {
      await commands.remove(null, account.id);
    } else if (account && (how === 'disable' || how === 'enable' || how === 'login')) {
      await commands[how](null, account.id);
    }
  }

  private answer(prompt: SentPrompt): void {
    const { rig } = this.kit;
    const account = rig.registry.list().find(({ name }) => name === prompt.account);
    expect(account?.isUsable).toBe(true);
    const state = account?.cooldown.obstacle(rig.clock.monotonic());
    expect(state).not.toBe('cooldown');
    if (state === 'half_open') {
      const probes = this.probes.get(prompt.account) ?? new Set();
      expect([...probes].filter(({ session }) => session.isBusy)).toEqual([]);
      this.probes.set(prompt.account, probes.add(prompt));
    }
    const fate = this.prompt;
    const failure = failureOf(fate);
    if (fate === 'hang') {
      return;
    }
    setTimeout(() => {
      if (failure) {
        prompt.fail(failure);
        return;
      }
      prompt.emit(ACCEPTED, text('x'));
      setTimeout(() => {
        prompt.emit(DONE);
        prompt.end();
      }, 60);
    }, 40);
  }

  private check(): void {
    const { rig, driver } = this.kit;
    const stats = rig.pool.stats();
    expect(stats.sessions).toBe(driver.sessions.size);
    expect(stats.waiting).toBeLessThanOrEqual(LIMITS.POOL_QUEUE_LIMIT * 3);
    // Failed openings are repeated with back-off, not without end.
    expect(this.opened).toBeLessThan(1000);
  }
}

describe('UpstreamDispatcher, under random events at accounts, upstream and settings', () => {
  it('ends every request, uses only accounts that may serve, and the pool recovers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50 }), async (steps) => {
        // A failed run leaves its timers behind.
        jest.clearAllTimers();
        const run = new Run(await rigOf(3, LIMITS));
        for (const next of steps) {
          await run.take(next);
        }
        await run.end();
      }),
      { numRuns: 40 },
    );
  });
});
