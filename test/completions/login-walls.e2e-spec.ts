import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';
import { readBody } from '../support/gateway/read-body.js';

const PROMPTS = 5;
/** The first wait before an account logs in by itself. */
const FIRST_WAIT_MS = 60_000;

describe('prompts that draw a login wall, one after the other, through the browser', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
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

  it('leave every account in use or about to log in again, without an operator', async () => {
    for (let prompt = 0; prompt < PROMPTS; prompt += 1) {
      const { status, reason } = await ask('[[login-wall]]');
      expect(status).toBe(500);
      expect(['login_lost', 'no_account']).toContain(reason);
    }
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
