import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type AccountsRig, rigOf } from '../../../test/support/gateway/accounts-rig.js';
import { type ScriptedDriver } from '../../../test/support/upstream/scripted-driver.js';
import { LoginRequiredError } from '../../upstream/upstream.errors.js';
import { LoginHealer } from './login-healer.js';

const MINUTE = 60_000;
const WALL = new LoginRequiredError('login_wall', 'The site asks for a login.');

let rig: AccountsRig;
let driver: ScriptedDriver;
let healer: LoginHealer;

beforeEach(async () => {
  jest.useFakeTimers();
  ({ rig, driver } = await rigOf(3));
  healer = new LoginHealer(rig.registry, rig.clock);
});

afterEach(async () => {
  healer.beforeApplicationShutdown();
  await rig.close();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const states = () => rig.registry.list().map((account) => account.stateAt(rig.clock.monotonic()));

describe('LoginHealer', () => {
  it('logs an account in after 1, 5 and 30 minutes, then every 30, until an answer proves the login', async () => {
    const account = rig.account('a');
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      rig.health.requireLogin(account, WALL);
      waits.push(account.nextLoginAt! - rig.clock.now());
      await pass(waits.at(-1)! - 1);
      expect(account.isUsable).toBe(false);
      await pass(1);
      expect([account.isUsable, account.nextLoginAt]).toEqual([true, undefined]);
    }
    expect(waits).toEqual([MINUTE, 5 * MINUTE, 30 * MINUTE, 30 * MINUTE]);
    rig.health.loginAnswered(account, 'm');
    rig.health.requireLogin(account, WALL);
    expect(account.nextLoginAt).toBe(rig.clock.now() + MINUTE);
  });

  it('leaves wrong credentials and challenges to the operator', async () => {
    rig.health.requireLogin(rig.account('a'), new LoginRequiredError('invalid_credentials', 'no'));
    rig.health.requireLogin(rig.account('b'), new LoginRequiredError('blocked', 'A challenge.'));
    rig.health.requireLogin(rig.account('c'), new LoginRequiredError('login_failed', 'The form is gone.'));
    await pass(120 * MINUTE);
    expect(states()).toEqual(['login_required', 'login_required', 'ready']);
  });

  it('stops for the operator: a login, a disabled or a removed account', async () => {
    for (const account of rig.registry.list()) {
      rig.health.requireLogin(account, WALL);
    }
    const [a, b, c] = rig.registry.list();
    await rig.commands.login(null, a!.id);
    await rig.commands.disable(null, b!.id);
    await rig.registry.delete(c!);
    expect([a, b, c].map((account) => account?.nextLoginAt)).toEqual([undefined, undefined, undefined]);
    await pass(MINUTE);
    expect(b!.loginFailure?.fault).toBe('login_wall');
    await rig.commands.enable(null, b!.id);
    expect(b!.nextLoginAt).toBe(rig.clock.now() + MINUTE);
  });

  it('counts no login that could not be begun', async () => {
    const account = rig.account('a');
    const forgetting = jest.spyOn(rig.registry, 'forgetLogin').mockRejectedValueOnce(new Error('disk full'));
    rig.health.requireLogin(account, WALL);
    await pass(MINUTE);
    expect([account.automaticLogins, account.nextLoginAt]).toEqual([0, rig.clock.now() + MINUTE]);

    let refuse: (error: Error) => void = () => undefined;
    forgetting.mockReturnValueOnce(new Promise((_resolve, reject) => (refuse = reject)));
    await pass(MINUTE);
    healer.beforeApplicationShutdown();
    refuse(new Error('disk full'));
    await pass(0);
    expect(account.nextLoginAt).toBeUndefined();
  });

  it('takes up what was lost before the start', () => {
    healer.beforeApplicationShutdown();
    rig.health.requireLogin(rig.account('a'), WALL);
    healer = new LoginHealer(rig.registry, rig.clock);
    expect(rig.account('a').nextLoginAt).toBeUndefined();
    healer.onApplicationBootstrap();
    expect(rig.account('a').nextLoginAt).toBe(rig.clock.now() + MINUTE);
  });

  it('leaves all accounts in use or healing after five prompts in eight minutes that draw a wall', async () => {
    rig.pool.onApplicationBootstrap();
    driver.onPrompt = (prompt) => prompt.fail(WALL);
    for (let prompt = 0; prompt < 5; prompt += 1) {
      const call = rig.call();
      await pass(1000);
      // RETRY_MAX_ATTEMPTS bounds every attempt that sent the prompt.
      expect(call.report.attempts.length).toBeLessThanOrEqual(3);
      expect(call.outcome).toMatchObject({ code: 'internal_error' });
      await pass(1.6 * MINUTE);
    }
    for (const account of rig.registry.list()) {
      expect(account.isUsable || account.nextLoginAt !== undefined).toBe(true);
    }
    driver.onPrompt = (prompt) => prompt.answer('fine');
    await pass(30 * MINUTE);
    expect(states()).toEqual(['ready', 'ready', 'ready']);
    const call = rig.call();
    await pass(1000);
    expect(call.outcome).toBe('completed');
  });
});
