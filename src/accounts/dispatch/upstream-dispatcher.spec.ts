import { describe, expect, it, jest } from '@jest/globals';
import { outcomesOf, settle, useDispatchRig } from '../../../test/support/gateway/dispatch-rig.js';
import { ACCEPTED, DONE, type ScriptedDriver, text } from '../../../test/support/upstream/scripted-driver.js';
import { InternalError, InvalidRequestError } from '../../common/errors/gateway.errors.js';
import { messageWithCauses } from '../../common/errors/message-with-causes.js';
import {
  LoginReplacedError,
  LoginRequiredError,
  RejectedError,
  UnavailableError,
} from '../../upstream/upstream.errors.js';
import { NoUsableAccountError, PromptTooLongError } from '../accounts.errors.js';

const start = useDispatchRig();

describe('UpstreamDispatcher, an answer', () => {
  it('is held back until it begins, then passed on batch by batch', async () => {
    const { rig, driver } = await start(1);
    driver.onPrompt = () => undefined;
    const call = rig.call();
    await settle();
    const prompt = driver.prompts[0]!;
    prompt.emit(ACCEPTED);
    expect(call.batches).toEqual([]);
    prompt.emit(text('he'));
    expect(call.batches).toEqual([ACCEPTED, text('he')]);
    prompt.emit(text('llo'), DONE);
    prompt.end();
    expect(call.batches).toEqual([ACCEPTED, text('he'), text('llo'), DONE]);
    expect(call.outcome).toBe('completed');
    expect(call.report).toEqual({
      preparedMs: 0,
      queuedMs: 0,
      account: 'a',
      sessionId: 's1',
      attempts: [
        {
          account: 'a',
          sessionId: 's1',
          startedMs: 0,
          durationMs: 0,
          outcome: 'ok',
          considered: [{ account: 'a', outcome: 'chosen' }],
        },
      ],
      acceptedMs: 0,
      firstAnswerMs: 0,
    });
  });

  it('counts as complete for a caller that leaves at `done`', async () => {
    const { rig, driver } = await start(1);
    driver.onPrompt = (prompt) => prompt.emit([...ACCEPTED, ...text('hi'), ...DONE]);
    const call = rig.call();
    await settle();
    call.unsubscribe();
    expect(outcomesOf(call)).toEqual(['a ok']);
    expect(driver.prompts[0]?.isCancelled).toBe(true);
  });
});

describe('UpstreamDispatcher, a failure before the answer', () => {
  it('is retried on another account after a back-off', async () => {
    const { rig, driver } = await start(2);
    driver.onPrompt = (prompt) =>
      prompt.account === 'a' ? prompt.fail(new UnavailableError('page_crashed', 'x')) : prompt.answer('b');
    const call = rig.call();
    await jest.advanceTimersByTimeAsync(499);
    expect(driver.prompts.length).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(call.outcome).toBe('completed');
    expect(outcomesOf(call)).toEqual(['a page_crashed', 'b ok']);
    expect(rig.account('a').failures).toBe(1);
  });

  it('is answered without its details once the attempts are used up', async () => {
    const { rig, driver } = await start(1);
    const failure = new UnavailableError('upstream_status_500', 'secret body');
    driver.onPrompt = (prompt) => prompt.fail(failure);
    const call = rig.call();
    await jest.advanceTimersByTimeAsync(1500);
    expect(call.outcome).toBeInstanceOf(InternalError);
    expect(call.outcome).toMatchObject({
      message: 'Internal server error: the upstream failed to answer.',
      reason: 'upstream_error',
      cause: failure,
    });
    expect(driver.prompts.length).toBe(3);
  });

  it('is not retried once the upstream has taken the prompt', async () => {
    const { rig, driver } = await start(2);
    driver.onPrompt = (prompt) => {
      prompt.emit(ACCEPTED);
      prompt.fail(new UnavailableError('stream_reset', 'x'));
    };
    const call = rig.call();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(call.outcome).toBeInstanceOf(InternalError);
    expect(driver.prompts.length).toBe(1);
  });

  it.each([
    ['too_long', PromptTooLongError],
    ['invalid_request', InvalidRequestError],
    ['unsupported', InvalidRequestError],
  ] as const)('is final when the prompt is rejected as %s', async (fault, type) => {
    const { rig, driver } = await start(2);
    driver.onPrompt = (prompt) => prompt.fail(new RejectedError(fault, 'why'));
    const call = rig.call();
    await settle();
    expect(call.outcome).toBeInstanceOf(type);
    expect(driver.prompts.length).toBe(1);
  });

  it('by a login that ran out opens a new session, as often as the attempts permit', async () => {
    const { rig, driver } = await start(1);
    const walls = new Set([1, 3, 4, 5]);
    driver.onPrompt = (prompt) =>
      walls.has(driver.prompts.length)
        ? prompt.fail(new LoginRequiredError('login_wall', 'Logged out.'))
        : prompt.answer('in again');
    const served = rig.call();
    await settle();
    expect(outcomesOf(served)).toEqual(['a login_wall', 'a ok']);
    expect(rig.account('a').stateAt(rig.clock.monotonic())).toBe('ready');

    const refused = rig.call();
    await settle();
    expect(outcomesOf(refused)).toEqual(['a login_wall', 'a login_wall', 'a login_wall']);
    // All three count against the one request.
    expect(rig.account('a').stateAt(rig.clock.monotonic())).toBe('ready');
  });

  it('by a login that ran out right after an opening opens another session', async () => {
    const { rig, driver } = await start(1);
    let openings = 0;
    driver.onOpen = () =>
      ++openings === 1
        ? Promise.reject(new LoginRequiredError('login_wall', 'Logged out.'))
        : Promise.resolve();
    const call = rig.call();
    await settle();
    expect(outcomesOf(call)).toEqual(['a ok']);
    expect(openings).toBe(2);
  });

  it('by the logins of all accounts at once is answered within the attempts', async () => {
    const { rig, driver } = await start(5, { RETRY_MAX_ATTEMPTS: 6 });
    rig.pool.onApplicationBootstrap();
    await settle();
    driver.onPrompt = (prompt) =>
      driver.prompts.length <= 5
        ? prompt.fail(new LoginRequiredError('login_wall', 'Logged out.'))
        : prompt.answer('in again');
    const call = rig.call();
    await settle();
    const walls = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name} login_wall`);
    expect(outcomesOf(call).slice(0, 5)).toEqual(walls);
    expect(call.outcome).toBe('completed');
    expect(rig.registry.list().map((account) => account.stateAt(rig.clock.monotonic()))).toEqual(
      Array.from({ length: 5 }, () => 'ready'),
    );
  });

  it('on a login that was replaced is retried at once, with no consequences for the account', async () => {
    const { rig, driver } = await start(1, { RETRY_MAX_ATTEMPTS: 2 });
    driver.onPrompt = (prompt) =>
      driver.prompts.length === 1
        ? prompt.fail(new LoginReplacedError('403'))
        : prompt.answer('by the new one');
    const call = rig.call();
    await settle();
    expect(outcomesOf(call)).toEqual(['a login_replaced', 'a ok']);
    expect(rig.account('a')).toMatchObject({ failures: 0, loginsLostBy: new Set() });
  });

  it('by a wall takes the account out and keeps the evidence without secrets', async () => {
    const { rig, driver } = await start(2);
    const evidence = {
      url: 'https://u:p@chat.test/login?token=abc#x',
      title: 'Log in',
      screenshot: Uint8Array.of(1, 2, 3),
    };
    driver.onPrompt = (prompt) =>
      prompt.account === 'a'
        ? prompt.fail(new LoginRequiredError('blocked', 'A challenge.', { evidence }))
        : prompt.answer('b');
    const call = rig.call();
    await settle();
    expect(outcomesOf(call)).toEqual(['a blocked', 'b ok']);
    const account = rig.account('a');
    expect(account.stateAt(rig.clock.monotonic())).toBe('login_required');
    expect(account.loginFailure).toEqual({
      fault: 'blocked',
      message: 'A challenge.',
      at: rig.clock.now(),
      url: 'https://chat.test/login',
      title: 'Log in',
      hasScreenshot: true,
    });
    expect([...((await rig.registry.screenshot(account.id)) ?? [])]).toEqual([1, 2, 3]);
    expect(driver.forgotten).toEqual([account.id]);
  });

  it('says that accounts need attention when none is left', async () => {
    const { rig, driver } = await start(1);
    driver.onPrompt = (prompt) => prompt.fail(new LoginRequiredError('blocked', 'Challenge.'));
    const call = rig.call();
    await settle();
    expect(call.outcome).toBeInstanceOf(NoUsableAccountError);
  });

  it('by a driver that throws counts like any other failure, and leaks no lease', async () => {
    const { rig, driver } = await start(1, { RETRY_MAX_ATTEMPTS: 1 });
    rig.pool.onApplicationBootstrap();
    await settle();
    [...driver.sessions].forEach((session) => {
      session.send = () => {
        throw new TypeError('a bug');
      };
    });
    const call = rig.call();
    await settle();
    expect(call.outcome).toMatchObject({ code: 'internal_error', reason: 'upstream_error' });
    expect(outcomesOf(call)).toEqual(['a driver_error']);
  });

  it('of a login that was replaced meanwhile does not touch the new one', async () => {
    const { rig, driver } = await start(0);
    const { id } = await rig.commands.add(null, 'mine', { key: 'old' });
    driver.onPrompt = () => undefined;
    rig.call().ended.catch(() => undefined);
    await settle();
    await rig.commands.update(null, id, { key: 'new' });
    driver.prompts[0]?.fail(new LoginRequiredError('login_wall', 'old login'));
    await settle();
    expect(rig.registry.get(id).loginFailure).toBeUndefined();
    driver.prompts[1]?.answer('by the new login');
  });

  it('to open any session ends the request at once if no attempt is left', async () => {
    const { rig, driver } = await start(1, { RETRY_MAX_ATTEMPTS: 1 });
    const failure = new UnavailableError('launch_failed', 'no browser');
    driver.onOpen = () => Promise.reject(failure);
    const call = rig.call();
    await settle();
    expect(call.outcome).toMatchObject({ code: 'internal_error', cause: failure });
    expect(call.report.attempts).toEqual([
      { startedMs: 0, durationMs: 0, outcome: 'launch_failed', detail: 'no browser' },
    ]);
  });
});

describe("UpstreamDispatcher, an account's secret in a failure", () => {
  const failure = (): Error =>
    new UnavailableError('page_failed', 'goto https://chat.test/sso?t=secret-0', {
      cause: new Error('at secret-0'),
    });

  it.each([
    ['of an attempt', (driver: ScriptedDriver) => (driver.onPrompt = (prompt) => prompt.fail(failure()))],
    ['to open a session', (driver: ScriptedDriver) => (driver.onOpen = () => Promise.reject(failure()))],
  ])('%s is redacted', async (_, fail) => {
    const { rig, driver } = await start(1, { RETRY_MAX_ATTEMPTS: 1 });
    fail(driver);
    const call = rig.call();
    await settle();
    expect(messageWithCauses(call.outcome as Error)).not.toMatch(/secret-/);
    expect(call.report.attempts[0]?.detail).toBe('goto https://chat.test/sso?t=[redacted] at [redacted]');
  });
});

describe('UpstreamDispatcher, silence', () => {
  const limits = { UPSTREAM_FIRST_BYTE_MS: 2000, UPSTREAM_IDLE_MS: 2000, RETRY_MAX_ATTEMPTS: 1 };

  it('before the first event ends at its limit', async () => {
    const { rig, driver } = await start(1, limits);
    driver.onPrompt = () => undefined;
    const call = rig.call();
    await jest.advanceTimersByTimeAsync(1999);
    expect(call.outcome).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(call.outcome).toMatchObject({ cause: { fault: 'first_byte_timeout' } });
    expect(driver.prompts[0]?.isCancelled).toBe(true);
  });

  it('within the answer ends it between the limit and an eighth more', async () => {
    const { rig, driver } = await start(1, limits);
    driver.onPrompt = (prompt) => prompt.emit(ACCEPTED, text('x'));
    const call = rig.call();
    await jest.advanceTimersByTimeAsync(100);
    driver.prompts[0]?.emit(text('y'));
    await jest.advanceTimersByTimeAsync(1999);
    expect(call.outcome).toBeUndefined();
    await jest.advanceTimersByTimeAsync(251);
    expect(call.outcome).toMatchObject({ cause: { fault: 'stream_idle' } });
    expect(outcomesOf(call)).toEqual(['a stream_idle']);
  });

  it('does not count while the caller does not keep up', async () => {
    const { rig, driver } = await start(1, limits);
    driver.onPrompt = (prompt) => prompt.emit(ACCEPTED, text('x'));
    const call = rig.call();
    await settle();
    call.flow.close();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(call.outcome).toBeUndefined();
    call.flow.open();
    await jest.advanceTimersByTimeAsync(1900);
    expect(call.outcome).toBeUndefined();
    await jest.advanceTimersByTimeAsync(400);
    expect(call.outcome).toBeInstanceOf(InternalError);
  });

  it.each([
    ['with text', [ACCEPTED, text('cut')], 'truncated'],
    ['without any', [ACCEPTED], 'truncated'],
    ['and nothing at all', [], 'truncated'],
  ])('of an end without `done` %s is a failure', async (_name, batches, fault) => {
    const { rig, driver } = await start(1, limits);
    driver.onPrompt = (prompt) => {
      prompt.emit(...batches);
      prompt.end();
    };
    const call = rig.call();
    await settle();
    expect(call.outcome).toMatchObject({ code: 'internal_error', cause: { fault } });
  });
});
