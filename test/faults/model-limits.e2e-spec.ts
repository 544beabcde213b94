import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed, rateLimited } from '../support/upstream/openai-stub-plans.js';

const BIG = { ...ASK, model: 'big' };
const SMALL = { ...ASK, model: 'small' };

describe('two keys, and an upstream that limits one model', () => {
  let gateway: StubGateway;

  beforeEach(async () => {
    gateway = await StubGateway.start({ UPSTREAM_API_KEYS: 'k1,k2' });
    gateway.stub.listModels({ id: 'big' }, { id: 'small' });
    // Read at the start already, when there was no list.
    Object.assign(gateway.upstreamModels, { readAt: undefined });
  });

  afterEach(() => gateway.close());

  /** Limits `big`; other models are answered. */
  function limit(plan = rateLimited({ retryAfter: '3600' })): void {
    gateway.stub.answerWith((reply) => (reply.request.body.model === 'big' ? plan(reply) : answer()(reply)));
  }

  it('refuses that model until the limit ends, and goes on with the other', async () => {
    limit();
    const refused = await gateway.complete(BIG);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(gateway.stub.requests).toHaveLength(2);
    expect((await gateway.complete(BIG)).status).toBe(429);
    expect(gateway.stub.requests).toHaveLength(2);
    for (const key of ['k1', 'k2']) {
      expect((await gateway.complete(SMALL)).status).toBe(200);
      expect(gateway.stub.requests.at(-1)?.key).toBe(key);
    }
    const { accounts } = (await (await fetch(`${gateway.origin}/dashboard/api/accounts`)).json()) as {
      accounts: readonly object[];
    };
    const limited = { state: 'cooldown', cooldown: { model: 'big' } };
    expect(accounts).toMatchObject([limited, limited]);
  });

  it('refuses all models once the account itself has none left', async () => {
    limit(failed(429, { code: 'insufficient_quota', message: 'You exceeded your current quota.' }));
    expect((await gateway.complete(BIG)).status).toBe(429);
    expect((await gateway.complete(SMALL)).status).toBe(429);
    expect(gateway.stub.requests).toHaveLength(2);
    const cooldowns = gateway.app.get(AccountRegistry).list();
    expect(cooldowns.map(({ cooldown }) => cooldown.model)).toEqual([undefined, undefined]);
  });
});
