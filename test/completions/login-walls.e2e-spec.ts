import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { SandboxDriver } from '../../src/upstream/sandbox-driver.js';
import { UpstreamDriver } from '../../src/upstream/upstream-driver.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { readBody } from '../support/gateway/read-body.js';

const PROMPTS = 5;
/** The first wait before an account logs in by itself. */
const FIRST_WAIT_MS = 60_000;

describe('prompts that draw a login wall, one after the other, through the browser', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({ RETRY_BASE_DELAY_MS: 1, RETRY_MAX_DELAY_MS: 1 });
  });

  afterAll(() => gateway.close());

  async function ask(content: string): Promise<{ status: number; reason: string | null; text: string }> {
    const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'svc-max', stream: false, messages: [{ role: 'user', content }] }),
    });
    const { text } = await readBody(response);
    return { status: response.status, reason: response.headers.get('x-gateway-reason'), text };
  }

  /** Number of prompts that reach the site for each of some requests, one after the other. */
  async function sentFor(requests: number, request: () => Promise<void>): Promise<readonly number[]> {
    const driver = gateway.app.get(UpstreamDriver);
    if (!(driver instanceof SandboxDriver)) {
      throw new Error('This test looks into the sandbox.');
    }
    const { sandbox } = driver;
    const counts: number[] = [];
    for (let done = 0; done < requests; done += 1) {
      const before = sandbox.records.length;
      await request();
      counts.push(sandbox.records.length - before);
    }
    return counts;
  }

  it('are sent RETRY_MAX_ATTEMPTS times, and leave every account in use or about to log in again', async () => {
    const sent = await sentFor(PROMPTS, async () => {
      const { status, reason } = await ask('[[login-wall]]');
      expect(status).toBe(500);
      expect(['login_lost', 'no_account']).toContain(reason);
    });
    // The first one has all its attempts; what a driver sends again after a login is one of them.
    expect([sent[0], Math.max(...sent)]).toEqual([
      gateway.settings.RETRY_MAX_ATTEMPTS,
      gateway.settings.RETRY_MAX_ATTEMPTS,
    ]);
    const accounts = gateway.app.get(AccountRegistry).list();
    expect(accounts.length).toBeGreaterThan(1);
    for (const { isUsable, nextLoginAt } of accounts) {
      const waitMs = isUsable ? 0 : nextLoginAt! - Date.now();
      expect(waitMs).toBeLessThanOrEqual(FIRST_WAIT_MS);
    }
    // Whoever asks meanwhile is served, or told that a login is on its way.
    const { status, text } = await ask('[[say:back]]');
    expect(status === 200 ? 'back' : 'The next login is tried in').toBe(
      /back|The next login is tried in/.exec(text)?.[0],
    );
  });
});
