/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BrowserGateway, gone, report, type Strike } from '../support/browser/browser-gateway.js';
import { type Received, type StreamCaller } from '../support/gateway/stream-caller.js';
import { browserPace } from '../support/watch/machine-pace.js';

/** A browser that hangs is noticed by its silence. */
const BROWSER_ERROR =
  /^data: \{"error":\{"message":"Internal server error: (?:the browser of the gateway failed|the upstream was silent for [\d.]+ s within its answer)\.","type":"server_error","param":null,"code":"internal_error"\}\}\n\n$/;

describe('a browser that fails under the gateway', () => {
  let rig: BrowserGateway;

  beforeEach(async () => {
    rig = await BrowserGateway.start();
    await rig.ready();
  });
  afterEach(() => rig.close());

  /** After a fault in the middle of an answer: an error event to the caller, the cause in the log. Returns the account. */
  function expectBroken(received: Received, causes: readonly string[]): string | undefined {
    const { status, isWhole, text, answer } = received;
    expect({ status, isWhole, end: text.slice(text.lastIndexOf('data: {"error"')) }).toEqual({
      status: 200,
      isWhole: false,
      end: expect.stringMatching(BROWSER_ERROR),
    });
    expect(text).not.toMatch(/\[DONE\]|"finish_reason":"/);
    expect(answer).not.toBe('');
    const entry = rig.entry(received);
    expect(entry).toMatchObject({
      outcome: 'upstream_error',
      status: 200,
      attempts: [{ outcome: expect.stringMatching(causes.join('|')), account: entry?.account }],
      error: { code: 'internal_error', reason: expect.stringMatching(/^(?:browser_failed|upstream_idle)$/) },
      content: { answer: answer.slice(0, 500) },
    });
    return entry?.account;
  }

  /** The answers, and the milliseconds from the fault to the end of the last one. */
  async function ends(callers: readonly StreamCaller[], { at }: Strike): Promise<[Received[], number]> {
    const received = await Promise.all(callers.map(({ ended }) => ended));
    return [received, Math.max(...received.map(({ endedAt }) => endedAt)) - at];
  }

  it('F01: killed before the answer, the prompt goes to another account', () =>
    rig.scenario(async () => {
      rig.site.setSwitches('[[hang]]', { prompts: 1 });
      const caller = rig.ask('[[say:answered]]');
      const first = await rig.record(caller);
      const { at } = await rig.strike('browser', 'SIGKILL');
      const received = await caller.ended;
      expect(received).toMatchObject({ status: 200, answer: 'answered', isWhole: true });
      expect(received.text.endsWith('data: [DONE]\n\n')).toBe(true);
      const [failed, served] = rig.entry(received)?.attempts ?? [];
      expect(failed).toMatchObject({ account: first.account, outcome: 'browser_crashed' });
      expect(served?.outcome).toBe('ok');
      expect(rig.site.records.map(({ account, outcome }) => [account, outcome])).toEqual([
        [first.account, 'client_closed'],
        [served?.account, 'completed'],
      ]);
      expect(served?.account).not.toBe(first.account);
      await browserPace.expectWithin(received.endedAt - at, 3000);
      const reusable = await rig.reusable([first.account], at);
      await browserPace.expectWithin(reusable, 3000);
      report('F01', {
        'answered by another account after': received.endedAt - at,
        'reusable after': reusable,
      });
    }));

  it('F02: killed in the middle of an answer', () =>
    rig.scenario(async () => {
      const callers = await rig.streams(1);
      const strike = await rig.strike('browser', 'SIGKILL');
      const [[received], ended] = await ends(callers, strike);
      const account = expectBroken(received!, ['browser_crashed']);
      await browserPace.expectWithin(ended, 500);
      const reusable = await rig.reusable([account], strike.at);
      await browserPace.expectWithin(reusable, 3000);
      report('F02', { 'error event after': received!.errorAt! - strike.at, 'reusable after': reusable });
    }));

  it('F03: killed under four answers', () =>
    rig.scenario(async () => {
      const callers = await rig.streams(4);
      const strike = await rig.strike('browser', 'SIGKILL');
      const [received, ended] = await ends(callers, strike);
      const accounts = new Set(received.map((one) => expectBroken(one, ['browser_crashed'])));
      await browserPace.expectWithin(ended, 500);
      const reusable = await rig.reusable([...accounts], strike.at);
      await browserPace.expectWithin(reusable, 3000);
      report('F03', { 'last of four ended after': ended, 'all reusable after': reusable });
    }));

  it('F04: a killed renderer', () =>
    rig.scenario(async () => {
      const callers = await rig.streams(1);
      const strike = await rig.strike('renderer', 'SIGKILL');
      const [[received], ended] = await ends(callers, strike);
      const account = expectBroken(received!, ['page_crashed']);
      await browserPace.expectWithin(ended, 500);
      const reusable = await rig.reusable([account], strike.at);
      await browserPace.expectWithin(reusable, 1000);
      report('F04', { 'error event after': received!.errorAt! - strike.at, 'reusable after': reusable });
    }));

  it('F05: a stopped renderer', () =>
    rig.scenario(async () => {
      await rig.useOneAccount();
      const callers = await rig.streams(1);
      const strike = await rig.strike('renderer', 'SIGSTOP');
      const [[received], ended] = await ends(callers, strike);
      const account = expectBroken(received!, ['stream_idle']);
      expect(ended).toBeGreaterThan(rig.idleMs - 100);
      await browserPace.expectWithin(ended - rig.idleMs, 500);
      const reusable = await rig.reusable([account], received!.endedAt);
      await browserPace.expectWithin(reusable, 2000);
      const left = await gone(strike.pids, 5000);
      report('F05', { 'error event after': ended, 'then reusable after': reusable, 'then gone after': left });
    }));

  it('F06: a page in an endless loop', () =>
    rig.scenario(async () => {
      await rig.useOneAccount();
      const callers = await rig.streams(1);
      const strike = await rig.loopInPages();
      const [[received], ended] = await ends(callers, strike);
      const account = expectBroken(received!, ['stream_idle']);
      await browserPace.expectWithin(ended - rig.idleMs, 500);
      const reusable = await rig.reusable([account], received!.endedAt);
      await browserPace.expectWithin(reusable, 3000);
      const left = await gone(strike.pids, 5000);
      report('F06', { 'error event after': ended, 'then reusable after': reusable, 'then gone after': left });
    }));

  it('F07: a stopped browser', () =>
    rig.scenario(async () => {
      const callers = await rig.streams(1);
      const strike = await rig.strike('browser', 'SIGSTOP');
      const [[received], ended] = await ends(callers, strike);
      const account = expectBroken(received!, ['browser_hung', 'stream_idle']);
      await browserPace.expectWithin(ended - rig.idleMs, 500);
      const reusable = await rig.reusable([account], received!.endedAt);
      await browserPace.expectWithin(reusable, 5000);
      await gone(strike.pids, 5000);
      report('F07', { 'error event after': ended, 'then reusable after': reusable });
    }));

  it('a stopped network service: the browser is replaced', () =>
    rig.scenario(async () => {
      const callers = await rig.streams(1);
      const strike = await rig.strike('utility', 'SIGSTOP');
      const [[received], ended] = await ends(callers, strike);
      const account = expectBroken(received!, ['stream_idle', 'browser_hung']);
      await browserPace.expectWithin(ended - rig.idleMs, 500);
      const left = await gone(strike.pids, 20_000);
      const reusable = await rig.reusable([account], performance.now());
      await browserPace.expectWithin(reusable, 5000);
      report('network service', {
        'error event after': ended,
        'gone after': left,
        'then reusable after': reusable,
      });
    }));

  it('F07: a stopped browser does not hold up the end of the gateway', async () => {
    await rig.strike('browser', 'SIGSTOP');
    const from = performance.now();
    await rig.close();
    const closed = performance.now() - from;
    await browserPace.expectWithin(closed, 5000);
    report('F07', { 'closed after': closed });
  });
});
