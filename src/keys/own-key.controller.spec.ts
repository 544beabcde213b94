import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { withinOneDay } from '../../test/support/watch/one-day.js';
import { KeysModule } from './keys.module.js';

const PATH = '/dashboard/api/own-key';
const KEY_OF_NIGHTLY = 'key-of-the-nightly-job';
const NO_LIMITS = { requestsPerMinute: null, concurrentRequests: null, tokensPerDay: null, models: null };

describe('OwnKeyController', () => {
  let app: ControllerApp;

  beforeEach(withinOneDay);
  beforeEach(async () => {
    app = await ControllerApp.start(KeysModule, { settings: { API_KEYS: `nightly:${KEY_OF_NIGHTLY}` } });
    await app.logReady();
  });
  afterEach(() => app.close());

  const make = async (body: object): Promise<string> => {
    const made = await app.ask('POST', '/dashboard/api/keys', { body });
    return (made.body as { secret: string }).secret;
  };

  describeRoutes(() => app, {
    [`GET ${PATH}`]: { good: { body: { name: 'API_KEY', role: 'operator', ...NO_LIMITS } } },
    [`GET ${PATH}/usage`]: {
      bad: [['?days=0', 'days']],
      good: { input: '?days=7', body: { object: 'list', data: [] } },
    },
    [`POST ${PATH}/rotate`]: {
      bad: [[{ overlapMs: -1 }, 'overlapMs']],
      good: { input: {}, status: 404, body: { error: { code: 'not_found' } } },
    },
  });

  it('tells a caller its limits, what it has used of them, and when there is more', async () => {
    const limits = { requestsPerMinute: 2, concurrentRequests: 4, tokensPerDay: 1000, models: ['svc-max'] };
    const key = await make({ name: 'ann', ...limits });
    const inUse = { requestsPerMinute: 0, concurrentRequests: 0, tokensPerDay: 0 };
    const own = await app.ask('GET', PATH, { key });
    expect(own.body).toMatchObject({ name: 'ann', role: 'caller', ...limits, inUse, waitMs: 0 });
    await app.ask('POST', '/log/ticket', { key, body: {} });
    await app.ask('POST', '/log/ticket', { key, body: {} });
    const { waitMs, dayEndsMs, ...used } = (await app.ask('GET', PATH, { key })).body as {
      waitMs: number;
      dayEndsMs: number;
    };
    expect(used).toMatchObject({ inUse: { ...inUse, requestsPerMinute: 2 } });
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(dayEndsMs).toBeGreaterThan(0);
    expect(dayEndsMs).toBeLessThanOrEqual(86_400_000);
  });

  it('costs nothing of the limits, and is told although they are used up', async () => {
    const key = await make({ name: 'ann', requestsPerMinute: 1 });
    await app.ask('POST', '/log/ticket', { key, body: {} });
    const used = { status: 200, body: { inUse: { requestsPerMinute: 1 } } };
    expect(await app.ask('GET', PATH, { key })).toMatchObject(used);
    expect(await app.ask('GET', PATH, { key })).toMatchObject(used);
  });

  it('lets its holder rotate it with an overlap, at the limit of its requests, too', async () => {
    const first = await make({ name: 'ann', requestsPerMinute: 1 });
    const ask = async (key: string): Promise<number> => (await app.ask('GET', PATH, { key })).status;
    const rotate = (key: string, body: object): Promise<Answer> =>
      app.ask('POST', `${PATH}/rotate`, { key, body });
    await app.ask('POST', '/log/ticket', { key: first, body: {} });
    const second = (await rotate(first, { overlapMs: 60_000 })).body as { name: string; secret: string };
    expect(second).toEqual({ name: 'ann', secret: expect.stringMatching(/^gwk_[\w-]{43}$/) });
    expect([await ask(first), await ask(second.secret)]).toEqual([200, 200]);
    const [replaced, latest] = await Promise.all(
      [first, second.secret].map(async (key) => (await app.ask('GET', PATH, { key })).body),
    );
    expect(replaced).toMatchObject({ secret: { expiresAt: expect.any(Number) } });
    expect(latest).toMatchObject({ secret: { createdAt: expect.any(Number), expiresAt: null } });
    // Whoever has the old one must not be able to keep the key by it.
    expect(await rotate(first, {})).toMatchObject({ status: 403 });
    const third = (await rotate(second.secret, { overlapMs: 0 })).body as { secret: string };
    expect([await ask(first), await ask(second.secret), await ask(third.secret)]).toEqual([401, 401, 200]);
    const audit = await app.ask('GET', '/dashboard/api/audit?limit=1');
    expect(audit.body).toMatchObject({ actions: [{ actor: 'ann', action: 'key.rotate', subject: 'ann' }] });
    expect(audit.text).not.toContain(third.secret);
  });

  it('tells nothing of other keys, nor how a key begins', async () => {
    const key = await make({ name: 'ann' });
    await make({ name: 'bob', tokensPerDay: 777 });
    const { text } = await app.ask('GET', PATH, { key });
    expect(text).not.toMatch(/bob|nightly|777|gwk_/);
  });

  it('knows a key of the settings, which has no limits', async () => {
    const { body } = await app.ask('GET', PATH, { key: KEY_OF_NIGHTLY });
    expect(body).toMatchObject({ name: 'nightly', role: 'caller', ...NO_LIMITS, secret: null });
  });

  it('says of a gateway without keys that everybody may operate it', async () => {
    const open = await ControllerApp.start(KeysModule, { settings: { API_KEY: '' } });
    const { body } = await open.ask('GET', PATH, { key: '' });
    await open.close();
    expect(body).toMatchObject({ name: null, role: 'operator', ...NO_LIMITS });
  });
});
