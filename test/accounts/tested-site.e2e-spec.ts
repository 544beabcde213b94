/** @jest-environment ./test/support/gateway/process-environment.mjs */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { type AccountTestView } from '../../src/dashboard/account-test/account-tests.js';
import { type SandboxDriver } from '../../src/upstream/sandbox-driver.js';
import { UpstreamDriver } from '../../src/upstream/upstream-driver.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

it('an account of a chat site is tested in the browser, each as asked', async () => {
  const { sandbox } = gateway.app.get<SandboxDriver>(UpstreamDriver);
  for (const { id, name } of gateway.app.get(AccountRegistry).list().toReversed()) {
    const response = await fetch(`${gateway.origin}/dashboard/api/accounts/${id}/test`, { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        outcome: 'ok',
        model: 'svc-max',
        firstAnswerMs: expect.any(Number),
        totalMs: expect.any(Number),
        requestId: expect.any(String),
      } satisfies Record<keyof Omit<AccountTestView, 'message'>, unknown>,
    ]);
    expect(sandbox.report().prompts.at(-1)).toMatchObject({ account: name });
  }
});
