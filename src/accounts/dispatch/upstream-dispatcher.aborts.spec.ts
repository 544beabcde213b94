import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type AccountsRig, type Call } from '../../../test/support/gateway/accounts-rig.js';
import { useAccountsRig } from '../../../test/support/gateway/dispatch-rig.js';
import { ACCEPTED, type ScriptedDriver, text } from '../../../test/support/upstream/scripted-driver.js';
import { UnavailableError } from '../../upstream/upstream.errors.js';

const startRig = useAccountsRig();
let rig: AccountsRig;
let driver: ScriptedDriver;
const settle = () => jest.advanceTimersByTimeAsync(0);

beforeEach(async () => {
  ({ rig, driver } = await startRig(1, { POOL_MAX_SESSIONS_PER_ACCOUNT: 1 }));
  driver.onPrompt = () => undefined;
});

describe.each([
  ['aborts its signal', (call: Call) => call.abort()],
  ['unsubscribes', (call: Call) => call.unsubscribe()],
])('UpstreamDispatcher, a caller that %s', (_name, leave) => {
  it('in the queue frees its place at once', async () => {
    rig.call();
    await settle();
    const waiting = rig.call();
    await settle();
    expect(rig.pool.stats().waiting).toBe(1);
    await jest.advanceTimersByTimeAsync(1500);
    leave(waiting);
    // The log reads it as soon as the caller has left.
    expect(waiting.report.queuedMs).toBe(1500);
    expect(rig.pool.stats().waiting).toBe(0);
    driver.prompts[0]?.answer('first');
    await settle();
    expect(driver.prompts.length).toBe(1);
    expect([waiting.batches, waiting.report.queuedMs]).toEqual([[], 1500]);
  });

  it('while a session is opened sends nothing', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    driver.onOpen = () => promise;
    const call = rig.call();
    await settle();
    leave(call);
    resolve();
    await settle();
    expect(driver.prompts).toEqual([]);
    expect(rig.pool.stats()).toMatchObject({ idle: 1, leases: 0, opening: 0, waiting: 0 });
  });

  it.each([
    ['before the first event', []],
    ['after the prompt was taken', [ACCEPTED]],
    ['in the answer', [ACCEPTED, text('x')]],
  ])('%s cancels the upstream and frees the account at once', async (_when, batches) => {
    driver.onPrompt = (prompt) => prompt.emit(...batches);
    const call = rig.call();
    await settle();
    leave(call);
    expect(driver.prompts[0]?.isCancelled).toBe(true);
    expect(driver.prompts[0]?.context.signal.aborted).toBe(true);
    expect(rig.pool.stats()).toMatchObject({ idle: 1, leases: 0 });
    expect(call.report.attempts).toMatchObject([{ account: 'a', outcome: 'cancelled' }]);
    await settle();
    expect(driver.prompts.length).toBe(1);
  });

  it('in a back-off ends it, and no timer is left', async () => {
    driver.onPrompt = (prompt) => prompt.fail(new UnavailableError('page_crashed', 'x'));
    const call = rig.call();
    await jest.advanceTimersByTimeAsync(100);
    leave(call);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(driver.prompts.length).toBe(1);
    expect(call.report.attempts).toMatchObject([{ account: 'a', outcome: 'page_crashed' }]);
  });
});

describe('UpstreamDispatcher, a session', () => {
  it('is used again after a caller has left, unless it has become unusable', async () => {
    const first = rig.call();
    await settle();
    first.abort();
    rig.call().abort();
    const second = rig.call();
    await settle();
    expect(driver.opened.length).toBe(1);
    const { session } = driver.prompts[1]!;
    session.isUsable = false;
    second.abort();
    expect(driver.sessions.has(session)).toBe(false);
    driver.onPrompt = (prompt) => prompt.answer('new');
    const third = rig.call();
    await settle();
    expect(third.outcome).toBe('completed');
    expect(driver.opened.length).toBe(2);
  });
});

describe('UpstreamDispatcher.dispatch', () => {
  it('sends nothing if the signal has been aborted before', async () => {
    const call = rig.call();
    call.abort();
    await settle();
    expect(call.outcome).toBe('completed');
    expect(driver.prompts).toEqual([]);
  });
});
