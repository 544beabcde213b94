import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SessionPool } from '../../src/accounts/pool/session-pool.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { type SandboxSite } from '../../src/sandbox/sandbox-site.js';
import { type PromptRecord } from '../../src/sandbox/state/sandbox-records.js';
import { SandboxDriver } from '../../src/upstream/sandbox-driver.js';
import { UpstreamDriver } from '../../src/upstream/upstream-driver.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { browserPace } from '../support/watch/machine-pace.js';

/** The gateway in front of a chat site, through the real browser, as seen from both ends. */
describe('a chat site behind the gateway', () => {
  let gateway: TestGateway;
  let site: SandboxSite;
  let pool: SessionPool;

  beforeAll(async () => {
    // What the many callers wait for each other is no matter here.
    gateway = await startGateway({ POOL_ACQUIRE_TIMEOUT_MS: PATIENCE_MS });
    const driver = gateway.app.get(UpstreamDriver);
    if (!(driver instanceof SandboxDriver)) {
      throw new Error('These tests look into the sandbox.');
    }
    site = driver.sandbox;
    pool = gateway.app.get(SessionPool);
    await eventually(PATIENCE_MS, () => {
      const idle = Object.values(pool.stats().accounts).map((account) => account.idle);
      expect(idle.filter((sessions) => sessions > 0)).toHaveLength(site.accounts.length);
    });
  });

  afterAll(() => gateway.close());

  function complete(
    content: string,
    options: { stream?: boolean; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const { stream = true, signal } = options;
    return fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ model: 'svc-max-no-thinking', stream, messages: [{ role: 'user', content }] }),
      ...(signal ? { signal } : {}),
    });
  }

  /** The record of the prompt that holds a text of the test's own. */
  function recordOf(mark: string): Promise<PromptRecord> {
    return site.whenRecord((record) => record.promptTail.includes(mark), AbortSignal.timeout(PATIENCE_MS));
  }

  /** Prompts with a mark that each account has had at the site. */
  function usesOf(mark: string): number[] {
    const marked = site.records.filter(({ promptTail }) => promptTail.includes(mark));
    return site.accounts.map(({ name }) => marked.filter(({ account }) => account === name).length);
  }

  it('completes 20 streams at once over 3 accounts', async () => {
    const texts = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const response = await complete(`[[chunks:20x20ms]] stream ${index} of 20`);
        return response.text();
      }),
    );
    const ends = texts.map((text) => text.slice(-200));
    expect(ends.filter((end) => !/"finish_reason":"stop"\}\]\}\n\ndata: \[DONE\]\n\n$/.test(end))).toEqual(
      [],
    );
    // How many more than these an account serves depends on when its sessions are open and its streams end.
    expect(Math.min(...usesOf('of 20'))).toBeGreaterThan(0);
    expect(usesOf('of 20').reduce((sum, uses) => sum + uses)).toBe(20);
  });

  it('uses 3 accounts in turn', async () => {
    await eventually(PATIENCE_MS, () => {
      expect(Object.values(pool.stats().accounts).map(({ leases }) => leases)).toEqual([0, 0, 0]);
    });
    for (let index = 0; index < 9; index += 1) {
      await complete(`[[say:yes]] request ${index} in turn`, { stream: false }).then((response) =>
        response.text(),
      );
    }
    expect(usesOf('in turn')).toEqual([3, 3, 3]);
  });

  it.each([
    ['before any of them has reached the site', 0],
    ['when the first has reached the site', 1],
    ['when half of them have', 6],
  ])('answers 12 requests though every login runs out %s', async (moment, reached) => {
    const logins = (): number[] => [...site.logins.values()].map(({ ok }) => ok);
    const before = logins();
    const isOne = ({ promptTail }: PromptRecord): boolean => promptTail.endsWith(moment);
    const logOut = (): void => site.accounts.forEach(({ name }) => site.logOutEverywhere(name));
    if (reached === 0) {
      logOut();
    }
    const answers = Array.from({ length: 12 }, async (_, index) => {
      const response = await complete(`[[say:still here]] ${index} ${moment}`, { stream: false });
      return response.json();
    });
    if (reached > 0) {
      await site.whenRecord(
        () => site.records.filter(isOne).length >= reached,
        AbortSignal.timeout(PATIENCE_MS),
      );
      logOut();
    }
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ choices: [{ message: { content: 'still here' } }] });
    }
    expect(Math.max(...logins().map((count, index) => count - (before[index] ?? 0)))).toBeLessThanOrEqual(1);
    const failures = gateway.app
      .get(AccountRegistry)
      .list()
      .map(({ loginFailure }) => loginFailure);
    expect(failures).toEqual(site.accounts.map(() => undefined));
  });

  it('takes a prompt of 1 MB', async () => {
    const prompt = `${'All work and no play. '.repeat(48_000)}[[say:Read it all.]] the end`;
    const began = performance.now();
    const response = await complete(prompt, { stream: false });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Read it all.' } }] });
    const record = await recordOf('the end');
    process.stdout.write(
      `prompt of ${prompt.length} characters: at the site after ${Math.round(record.acceptedAt - began)} ms\n`,
    );
    expect(record.promptLength).toBe(prompt.length);
  });

  it.each([
    ['while it waits', '[[delay:60000]] waiting caller', 'waiting caller'],
    ['in the middle of a stream', '[[chunks:10000x20ms]] streaming caller', 'streaming caller'],
  ])('frees the account within 500 ms when the caller leaves %s', async (_case, prompt, mark) => {
    const caller = new AbortController();
    const answer = complete(prompt, { signal: caller.signal }).then(
      (response) => response.body?.getReader().read(),
      () => undefined,
    );
    const record = await recordOf(mark);
    if (mark === 'streaming caller') {
      await answer;
    }
    const left = performance.now();
    caller.abort();
    await answer;
    await eventually(PATIENCE_MS, () => {
      expect(pool.stats().leases).toBe(0);
      expect(record.outcome).toBe('client_closed');
    });
    await browserPace.expectWithin((record.endedAt ?? Infinity) - left, 500);
  });
});
