import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AuditEntry } from '../../src/common/audit/audit-log.js';
import { shortLeaseMs } from '../support/gateway/cluster-rig.js';
import { KeyedGateway, OPERATOR } from '../support/gateway/keyed-gateway.js';
import { createUsedDatabase, type TestDatabase } from '../support/postgres/postgres-server.js';
import { endless } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

let database: TestDatabase;
let one: KeyedGateway;
let other: KeyedGateway;

beforeEach(async () => {
  database = await createUsedDatabase();
  const settings = {
    DATABASE_URL: database.url,
    SECRET_KEY: 'one secret for all',
    NODE_LEASE_MS: await shortLeaseMs(),
  };
  one = await KeyedGateway.start(settings);
  other = await KeyedGateway.start(settings);
});
afterEach(async () => {
  await Promise.all([one.close(), other.close()]);
  await database.drop();
});

/** Status that a route for callers gives a key. */
const statusOf = async (node: KeyedGateway, key: string): Promise<number> =>
  (await node.ask('POST', '/log/ticket', key, {})).status;

/** Waits until a node answers a key so. */
const answers = (node: KeyedGateway, key: string, status: number): Promise<void> =>
  eventually(PATIENCE_MS, async () => expect(await statusOf(node, key)).toBe(status));

describe('keys of two nodes', () => {
  it('hold on the other node: made, changed, rotated and revoked', async () => {
    const secret = await one.make('ann');
    const madeAt = performance.now();
    await answers(other, secret, 201);
    process.stdout.write(`known to the other node after ${Math.round(performance.now() - madeAt)} ms\n`);

    await other.ask('PATCH', '/dashboard/api/keys/ann', OPERATOR, { isEnabled: false });
    await answers(one, secret, 401);
    await one.ask('PATCH', '/dashboard/api/keys/ann', OPERATOR, { isEnabled: true });
    await answers(other, secret, 201);

    const { secret: next } = await other.json<{ secret: string }>(
      'POST',
      '/dashboard/api/keys/ann/rotate',
      OPERATOR,
      { overlapMs: 0 },
    );
    await answers(one, next, 201);
    expect(await statusOf(one, secret)).toBe(401);

    await one.ask('POST', '/dashboard/api/keys/ann/revoke', OPERATOR, {});
    await answers(other, next, 401);
    const { actions } = await other.json<{ actions: AuditEntry[] }>('GET', '/dashboard/api/audit', OPERATOR);
    expect(actions.map(({ action }) => action)).toEqual([
      'key.revoke',
      'key.rotate',
      'key.update',
      'key.update',
      'key.create',
    ]);
  });

  it('are judged by what is stored, not by what a node knows', async () => {
    const make = (node: KeyedGateway) => node.ask('POST', '/dashboard/api/keys', OPERATOR, { name: 'ann' });
    const made = await Promise.all([make(one), make(other)]);
    expect(made.map(({ status }) => status).sort()).toEqual([201, 400]);
    const [revoked, enabled] = await Promise.all([
      one.ask('POST', '/dashboard/api/keys/ann/revoke', OPERATOR, {}),
      other.ask('PATCH', '/dashboard/api/keys/ann', OPERATOR, { isEnabled: true }),
    ]);
    expect(revoked.status).toBe(200);
    expect([200, 404]).toContain(enabled.status);
    const { keys } = await one.json<{ keys: { state: string }[] }>('GET', '/dashboard/api/keys', OPERATOR);
    expect(keys).toMatchObject([{ state: 'revoked' }]);
  });

  it('end their running answers on every node', async () => {
    const secret = await one.make('ann');
    other.gateway.stub.answerWith(endless(20));
    await answers(other, secret, 201);
    const response = await eventually(PATIENCE_MS, async () => {
      const begun = await other.gateway.post(
        { model: 'svc-max', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5000 },
        { headers: { authorization: `Bearer ${secret}` } },
      );
      expect(begun.status).toBe(200);
      return begun;
    });
    const text = response.text().catch(() => 'cut');
    await one.ask('POST', '/dashboard/api/keys/ann/revoke', OPERATOR, { running: 'end' });
    expect(await text).not.toContain('[DONE]');
    const entry = other.gateway.entries.find(({ outcome }) => outcome === 'client_error');
    expect(entry).toMatchObject({ key: 'ann', error: { code: 'invalid_api_key' } });
  });
});
