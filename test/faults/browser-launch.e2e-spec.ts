/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BROWSER_HANDLES, BrowserGateway, gone, report } from '../support/browser/browser-gateway.js';
import { RemoteBrowser } from '../support/browser/remote-browser.js';
import { internalError } from '../support/gateway/error-texts.js';
import { type Received } from '../support/gateway/stream-caller.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { browserPace } from '../support/watch/machine-pace.js';

/** Longest start of a browser. */
const LAUNCH_LIMIT_MS = 5000;
/** A browser that notes its process id and never answers. */
const HANGS = 'echo $$ >> "$0.pids"; exec sleep 60';
const refusal = (what: string): string => JSON.stringify({ error: internalError(what) });
const FAILED = refusal('the browser of the gateway failed.');
const MISSING = refusal('the gateway has no browser to start; its operator must install one.');

let rig: BrowserGateway;

/** Readiness as a balancer sees it. */
async function readiness(): Promise<[number, unknown]> {
  const response = await fetch(`${rig.gateway.origin}/health/ready`);
  return [response.status, await response.json()];
}

/** Asks until an answer comes. Returns the milliseconds until then. */
async function answersAgain(): Promise<number> {
  const from = performance.now();
  await eventually(PATIENCE_MS, async () => {
    const { status } = await rig.ask('[[say:back]]').ended;
    expect(status).toBe(200);
  });
  return performance.now() - from;
}

/** While no browser can be started: 500 to the caller, the reason in the log and in the pool's statistics. */
function expectRefused(received: Received, reason: string): void {
  const { status, headers, text } = received;
  const [word, told] =
    reason === 'browser_not_found' ? ['browser_missing', MISSING] : ['browser_failed', FAILED];
  expect({ status, reason: headers.get('x-gateway-reason'), text }).toEqual({
    status: 500,
    reason: word,
    text: told,
  });
  const entry = rig.entry(received);
  expect(entry).toMatchObject({
    outcome: 'upstream_error',
    status: 500,
    error: { code: 'internal_error', reason: word },
  });
  expect(new Set(entry?.attempts?.map(({ outcome }) => outcome))).toEqual(new Set([reason]));
  const failures = Object.values(rig.pool.stats().accounts).map(({ openFailure }) => openFailure);
  expect(failures).toContain(reason);
}

describe('a browser that does not start under the gateway', () => {
  let folder: string;
  let executable: string;
  let pids: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-launch-'));
    // As root, the browser is started by another user.
    await chmod(folder, 0o711);
    executable = join(folder, 'chromium-headless-shell');
    pids = `${executable}.pids`;
    await writeFile(pids, '');
    await chmod(pids, 0o666);
  });
  afterEach(async () => {
    await rig.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Replaces the browser by a script, atomically. */
  async function install(script: string): Promise<void> {
    await writeFile(`${executable}.new`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await rename(`${executable}.new`, executable);
  }
  const repair = (): Promise<void> => install(`exec '${process.env.BROWSER_EXECUTABLE_PATH}' "$@"`);

  /** Ids of the processes that were started in place of a browser. */
  async function started(): Promise<number[]> {
    return (await readFile(pids, 'utf8')).split('\n').filter(Boolean).map(Number);
  }

  it.each([
    { fault: 'is not there', script: undefined, reason: 'browser_not_found', waitMs: 0 },
    { fault: 'ends at once', script: 'exit 1', reason: 'launch_failed', waitMs: 0 },
    {
      fault: 'never answers',
      script: HANGS,
      reason: 'launch_failed',
      waitMs: LAUNCH_LIMIT_MS,
      // The usual ones: the limit holds over all attempts.
      retries: { RETRY_BASE_DELAY_MS: 500, RETRY_MAX_DELAY_MS: 8000 },
    },
  ])('F08: $fault', async ({ fault, script, reason, waitMs, retries }) => {
    if (script !== undefined) {
      await install(script);
    }
    rig = await BrowserGateway.start({ BROWSER_EXECUTABLE_PATH: executable, ...retries });
    await rig.scenario(async () => {
      const from = performance.now();
      const received = await rig.ask('[[say:hello]]').ended;
      const failedMs = received.endedAt - from;
      expectRefused(received, reason);
      if (script === undefined) {
        expect(await readiness()).toEqual([503, { status: 'browser_missing' }]);
      }
      const strays = await started();
      expect(strays).toHaveLength(script === HANGS ? 1 : 0);
      await browserPace.expectWithin(failedMs - waitMs, 1000);
      await gone(strays, 1000);
      await repair();
      report(`F08 ${fault}`, { '500 after': failedMs, 'answers once it starts after': await answersAgain() });
      expect(await readiness()).toEqual([200, { status: 'ok' }]);
    }, BROWSER_HANDLES);
  });

  it('F08: is started again after 1, 2 … s only, however many ask', async () => {
    const starts = join(folder, 'starts');
    await writeFile(starts, '');
    await chmod(starts, 0o666);
    await install(`date +%s%3N >> '${starts}'; exit 1`);
    rig = await BrowserGateway.start({ BROWSER_EXECUTABLE_PATH: executable });
    await rig.scenario(async () => {
      const times = await eventually(PATIENCE_MS, async () => {
        await rig.ask('[[say:hello]]').ended;
        const found = (await readFile(starts, 'utf8')).trim().split('\n').map(Number);
        expect(found.length).toBeGreaterThanOrEqual(3);
        return found;
      });
      const pauses = times.slice(1).map((time, at) => time - times[at]!);
      expect(pauses[0]).toBeGreaterThanOrEqual(990);
      expect(pauses[1]).toBeGreaterThanOrEqual(1990);
      await repair();
      report('F08', {
        'first pause': pauses[0]!,
        second: pauses[1]!,
        'then answers after': await answersAgain(),
      });
    }, BROWSER_HANDLES);
  });

  it('F01: 500 within 1 s if the browser is killed and cannot be started again', async () => {
    await repair();
    rig = await BrowserGateway.start({ BROWSER_EXECUTABLE_PATH: executable });
    await rig.ready();
    await rig.scenario(async () => {
      const caller = rig.ask('[[delay:20000]]');
      await rig.record(caller);
      await install('exit 1');
      const { at } = await rig.strike('browser', 'SIGKILL');
      const received = await caller.ended;
      expect({ status: received.status, text: received.text }).toEqual({ status: 500, text: FAILED });
      const [first, ...others] = rig.entry(received)?.attempts?.map(({ outcome }) => outcome) ?? [];
      expect([first, ...new Set(others)]).toEqual(['browser_crashed', 'launch_failed']);
      await browserPace.expectWithin(received.endedAt - at, 1000);
      await repair();
      const again = await answersAgain();
      report('F01', { '500 after': received.endedAt - at, 'answers once it starts after': again });
    });
  });
});

describe('a remote browser under the gateway', () => {
  let remote: RemoteBrowser;

  beforeEach(async () => {
    remote = await RemoteBrowser.start();
    await remote.open();
  });
  afterEach(async () => {
    await rig.close();
    await remote.close();
  });

  const start = async (): Promise<void> => {
    rig = await BrowserGateway.start({ BROWSER_WS_ENDPOINT: remote.endpoint });
  };

  it('F09: refuses connections', async () => {
    await remote.shut();
    await start();
    await rig.scenario(
      async () => {
        const from = performance.now();
        const received = await rig.ask('[[say:hello]]').ended;
        const failedMs = received.endedAt - from;
        expectRefused(received, 'launch_failed');
        await browserPace.expectWithin(failedMs, 1000);
        await remote.open();
        report('F09 refused', {
          '500 after': failedMs,
          'answers once it is back after': await answersAgain(),
        });
      },
      { TCPServerWrap: 1 },
    );
  });

  it('F09: is cut off in the middle of an answer', async () => {
    await start();
    await rig.ready();
    await rig.scenario(async () => {
      const [caller] = await rig.streams(1);
      const at = performance.now();
      remote.cut();
      const received = await caller!.ended;
      expect({ isWhole: received.isWhole, end: received.text.slice(-FAILED.length - 2) }).toEqual({
        isWhole: false,
        end: `${FAILED}\n\n`,
      });
      expect(received.text).not.toContain('[DONE]');
      await browserPace.expectWithin(received.endedAt - at, 500);
      const entry = rig.entry(received);
      expect(entry).toMatchObject({ outcome: 'upstream_error', attempts: [{ outcome: 'browser_crashed' }] });
      const reusable = await rig.reusable([entry?.account], at);
      await browserPace.expectWithin(reusable, 3000);
      report('F09 cut', { 'error event after': received.errorAt! - at, 'reusable after': reusable });
    });
    await eventually(PATIENCE_MS, async () => {
      const open = (await remote.pages()).filter((url) => url.startsWith('http'));
      expect(open).toHaveLength(rig.pool.stats().sessions);
    });
  });

  it('F09: is full', async () => {
    remote.fill();
    await start();
    await rig.scenario(async () => {
      const { status, headers, text } = await rig.ask('[[say:hello]]').ended;
      expect({ status, text: JSON.parse(text) as unknown }).toMatchObject({
        status: 429,
        text: { error: { type: 'rate_limit_error', code: 'rate_limit' } },
      });
      const retryAfter = Number(headers.get('retry-after'));
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(6);
      await remote.open();
      report('F09 full', {
        'retry after': retryAfter * 1000,
        'answers once it is free after': await answersAgain(),
      });
    });
  });
});
