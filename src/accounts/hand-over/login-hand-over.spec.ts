import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { type AccountsRig, rigOf } from '../../../test/support/gateway/accounts-rig.js';
import { type ScriptedDriver } from '../../../test/support/upstream/scripted-driver.js';
import { ENDLESS, SingleNodeTenures } from '../../cluster/single-node-tenures.js';
import { type Tenure, type TenureChange } from '../../cluster/tenures.js';
import { type PageInput, type PageVisitor } from '../../common/live-page/page-visitor.js';
import { LoginRequiredError, UnavailableError } from '../../upstream/upstream.errors.js';
import { LoginHealer } from '../registry/login-healer.js';
import { type HandOver } from './hand-over.js';
import { HAND_OVER_IDLE_MS, LoginHandOver } from './login-hand-over.js';

const WALL = new LoginRequiredError('login_wall', 'The site asks for a login.');
const VISITOR: PageVisitor = { show: () => Promise.resolve(), handOver: () => undefined };
const HELLO: PageInput = { type: 'text', text: 'hello' };

/** Accounts that other gateways hold until they are given. */
class LentTenures extends SingleNodeTenures {
  override readonly changes$ = new Subject<TenureChange>();
  readonly wanted = new Set<string>();
  /** State of the accounts for this gateway. */
  state: 'held' | 'elsewhere' | 'out of reach' = 'held';

  override of(): Tenure {
    const isHeld = () => this.state === 'held';
    const mayCome = () => this.state === 'elsewhere';
    return {
      ...ENDLESS,
      get isHeld() {
        return isHeld();
      },
      get mayCome() {
        return mayCome();
      },
    };
  }

  override want(account: string): () => void {
    this.wanted.add(account);
    return () => this.wanted.delete(account);
  }

  give(accountId: string): void {
    this.state = 'held';
    this.changes$.next({ accountId, kind: 'granted' });
  }
}

let rig: AccountsRig;
let tenures: LentTenures;
let driver: ScriptedDriver;
let healer: LoginHealer;
let handOvers: LoginHandOver;
let visit: { resolve: () => void; reject: (error: Error) => void };
let acted: PageInput[];

beforeEach(async () => {
  jest.useFakeTimers();
  tenures = new LentTenures();
  ({ rig, driver } = await rigOf(2, {}, undefined, tenures));
  healer = new LoginHealer(rig.registry, rig.clock);
  handOvers = new LoginHandOver(rig.registry, rig.health, rig.pool, driver, tenures, rig.clock);
  acted = [];
  driver.onVisit = (account, visitor, signal) => {
    visitor.handOver((inputs) => {
      acted.push(...inputs);
      return Promise.resolve();
    });
    return new Promise((resolve, reject) => {
      const keep = (): void => {
        account.saveState('the login');
        resolve();
      };
      visit = { resolve: keep, reject };
      const end = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', end);
      if (signal.aborted) {
        end();
      }
    });
  };
  rig.health.requireLogin(rig.account('a'), WALL);
});

afterEach(async () => {
  handOvers.onModuleDestroy();
  healer.beforeApplicationShutdown();
  await rig.close();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

const begin = (signal = new AbortController().signal): HandOver =>
  handOvers.begin(rig.account('a').id, VISITOR, signal);
const act = ({ id }: HandOver, inputs: readonly PageInput[], account = 'a'): Promise<void> =>
  handOvers.act(rig.account(account).id, id, inputs);
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const stateOf = (name: string) => rig.account(name).stateAt(rig.clock.monotonic());
const outcomeOf = async ({ ended }: HandOver) => (await ended).outcome;

describe('LoginHandOver', () => {
  it('brings the account back with the login that the driver has kept', async () => {
    const { login } = rig.account('a');
    const handOver = begin();
    await act(handOver, [HELLO]);
    visit.resolve();
    expect(await handOver.ended).toEqual({ outcome: 'logged_in', durationMs: expect.any(Number) });
    expect([acted, stateOf('a'), rig.account('a').login]).toEqual([[HELLO], 'ready', login]);
    await pass(1000);
    const [row] = await rig.store.list('sandbox');
    expect([row?.loginFailure, await rig.store.driverState(rig.account('a').id)]).toEqual([
      undefined,
      'the login',
    ]);
    expect(driver.opened).toContain('a');
    await expect(act(handOver, [HELLO])).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes nothing on the path of another account', async () => {
    const handOver = begin();
    await expect(act(handOver, [HELLO], 'b')).rejects.toMatchObject({ code: 'not_found' });
    expect(acted).toEqual([]);
  });

  it('keeps the account from everybody else meanwhile', async () => {
    expect(rig.account('a').nextLoginAt).toBe(rig.clock.now() + 60_000);
    const handOver = begin();
    expect(rig.account('a').nextLoginAt).toBeUndefined();
    for (let minutes = 0; minutes < 60; minutes += 4) {
      await pass(4 * 60_000);
      await act(handOver, [HELLO]);
    }
    expect([driver.opened.includes('a'), stateOf('a')]).toEqual([false, 'login_required']);
    visit.reject(new UnavailableError('page_crashed', 'The page crashed.'));
    expect(await handOver.ended).toMatchObject({ outcome: 'failed', message: 'The page crashed.' });
    expect(rig.account('a').nextLoginAt).toBe(rig.clock.now() + 60_000);
  });

  it('shows nothing of a secret that an error of the page repeats', async () => {
    const handOver = begin();
    const { credentials } = rig.account('a');
    visit.reject(new Error(`fill #password: ${credentials.password} failed`));
    expect(await handOver.ended).toMatchObject({ message: 'fill #password: [redacted] failed' });
  });

  it('ends after five minutes without input', async () => {
    const handOver = begin();
    await pass(HAND_OVER_IDLE_MS - 1);
    await act(handOver, []);
    await pass(HAND_OVER_IDLE_MS - 1);
    expect(stateOf('a')).toBe('login_required');
    await pass(1);
    expect(await outcomeOf(handOver)).toBe('idle');
    expect(begin().id).not.toBe(handOver.id);
  });

  it('ends when the operator leaves, also before it has begun', async () => {
    const control = new AbortController();
    const handOver = begin(control.signal);
    control.abort();
    expect(await outcomeOf(handOver)).toBe('left');
    expect(await outcomeOf(begin(AbortSignal.abort()))).toBe('left');
  });

  it('ends when the account is changed, or the gateway stops', async () => {
    const { id } = rig.account('a');
    const changed = begin();
    await rig.commands.login(null, id);
    expect([await outcomeOf(changed), stateOf('a')]).toEqual(['changed', 'ready']);
    await pass(100);
    expect(driver.opened).toContain('a');
    rig.health.requireLogin(rig.account('a'), WALL);
    await pass(100);
    const removed = begin();
    await rig.commands.disable(null, id);
    expect([await outcomeOf(removed), stateOf('a')]).toEqual(['changed', 'disabled']);
    await rig.commands.enable(null, id);
    const stopped = begin();
    handOvers.onModuleDestroy();
    expect(await outcomeOf(stopped)).toBe('stopped');
  });

  it('is refused where it makes no sense, with the reason', async () => {
    const { id } = rig.account('a');
    const refusal = (accountId = id): string => {
      try {
        handOvers.begin(accountId, VISITOR, new AbortController().signal);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refusal(rig.account('b').id)).toBe("'b' needs no login.");
    expect(refusal('x')).toContain('no account');
    const handOver = begin();
    expect(refusal()).toContain('one at a time');
    visit.resolve();
    await handOver.ended;
    await pass(100);
    const { outcome } = rig.call();
    await pass(100);
    expect(outcome).toBeUndefined();
    driver.onVisit = undefined;
    rig.health.requireLogin(rig.account('a'), WALL);
    expect(refusal()).toContain('no login page');
  });

  it('asks another gateway for the account, and keeps it until the end', async () => {
    tenures.state = 'elsewhere';
    const { id } = rig.account('a');
    const handOver = begin();
    await pass(9999);
    expect([acted, [...tenures.wanted]]).toEqual([[], [id]]);
    tenures.give(id);
    await pass(0);
    await act(handOver, [HELLO]);
    expect([acted, [...tenures.wanted]]).toEqual([[HELLO], [id]]);
    visit.resolve();
    expect(await outcomeOf(handOver)).toBe('logged_in');
    expect([stateOf('a'), tenures.wanted.size]).toEqual(['ready', 0]);
  });

  it('ends when another gateway does not give the account up, or has logged it in', async () => {
    tenures.state = 'elsewhere';
    const { id } = rig.account('a');
    const refused = begin();
    await pass(10_000);
    expect(await refused.ended).toMatchObject({
      outcome: 'failed',
      message: "'a' is used by another gateway, which did not give it up: try again in a moment.",
    });
    const late = begin();
    rig.account('a').resetLogin();
    tenures.give(id);
    expect(await late.ended).toMatchObject({ outcome: 'failed', message: "'a' needs no login any more." });
    await pass(100);
    rig.health.requireLogin(rig.account('a'), WALL);
    await pass(100);
    tenures.state = 'elsewhere';
    const control = new AbortController();
    const left = begin(control.signal);
    control.abort();
    expect(await outcomeOf(left)).toBe('left');
    tenures.state = 'out of reach';
    expect(() => begin()).toThrow("'a' cannot be had from another gateway now: try again in a moment.");
    expect(tenures.wanted.size).toBe(0);
  });

  it('waits for answers that are still under way', async () => {
    await rig.commands.login(null, rig.account('a').id);
    await rig.commands.disable(null, rig.account('b').id);
    driver.onPrompt = () => undefined;
    const call = rig.call();
    await pass(100);
    expect(driver.prompts).toHaveLength(1);
    rig.health.requireLogin(rig.account('a'), WALL);
    expect(() => begin()).toThrow('still answers earlier requests');
    call.abort();
    await call.ended;
    await pass(100);
    begin();
  });
});
