import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KeyedGateway, OPERATOR, type Told } from '../support/gateway/keyed-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, chunk, endless } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { withinOneDay } from '../support/watch/one-day.js';

const TOTAL = 1000;
/** More would meet the backlog of the listener instead of the limit. */
const PARALLEL = 250;
const LIMIT = 100;
const USAGE = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };

interface OwnRow {
  readonly model: string;
  readonly requests: number;
  readonly errors: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

describe('limits of a key', () => {
  let keyed: KeyedGateway;

  beforeEach(withinOneDay);
  beforeEach(async () => {
    keyed = await KeyedGateway.start({
      POOL_MAX_SESSIONS: 64,
      POOL_QUEUE_LIMIT: 2000,
      POOL_ACQUIRE_TIMEOUT_MS: 120_000,
    });
    keyed.gateway.stub.answerWith(answer({ pieces: ['Hello.'], usage: USAGE }));
  });
  afterEach(() => keyed.close());

  const atOnce = (key: string, count: number): Promise<readonly Told[]> =>
    Promise.all(Array.from({ length: count }, () => keyed.complete(key)));
  const count = (answers: readonly Told[], status: number): number =>
    answers.filter((told) => told.status === status).length;
  const usage = async (key: string): Promise<readonly OwnRow[]> =>
    (await keyed.json<{ data: OwnRow[] }>('GET', '/v1/usage', key)).data;

  /** Holds all answers of the upstream back until the returned function is called. */
  const held = (plan: StubPlan): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    keyed.gateway.stub.answerWith(async (reply) => {
      await promise;
      await plan(reply);
    });
    return resolve;
  };

  /**
   * Sends 1,000 requests in waves, while the answers of those that are let in are held back.
   * @param admitted number of requests that must be let in; each wave begins once all others are refused
   */
  const sendAll = async (key: string, admitted: number, body?: object): Promise<readonly Promise<Told>[]> => {
    const sent: Promise<Told>[] = [];
    let refused = 0;
    while (sent.length < TOTAL) {
      for (let index = 0; index < PARALLEL; index++) {
        sent.push(
          keyed.complete(key, body).then((told) => {
            refused += told.status === 429 ? 1 : 0;
            return told;
          }),
        );
      }
      await eventually(PATIENCE_MS, () => expect(refused).toBe(sent.length - admitted));
    }
    return sent;
  };

  it('let exactly so many requests a minute in, of 1,000, and count all', async () => {
    const key = await keyed.make('ann', { requestsPerMinute: LIMIT });
    const answers: Told[] = [];
    while (answers.length < TOTAL) {
      answers.push(...(await atOnce(key, PARALLEL)));
    }
    expect(count(answers, 429)).toBe(TOTAL - LIMIT);
    expect(keyed.gateway.stub.requests.length).toBe(LIMIT);
    const rows = await eventually(PATIENCE_MS, async () => {
      const counted = await usage(key);
      expect(counted.reduce((sum, row) => sum + row.requests, 0)).toBe(TOTAL);
      return counted;
    });
    expect(rows.reduce((sum, row) => sum + row.errors, 0)).toBe(TOTAL - LIMIT);
    expect(rows.find(({ model }) => model === 'svc-max')).toMatchObject({
      requests: LIMIT,
      prompt_tokens: 10 * LIMIT,
      completion_tokens: 20 * LIMIT,
    });
  });

  it('let exactly so many tokens a day be set aside, of 1,000 requests, and give back what was not used', async () => {
    // A prompt of one token, and 9 for the answer.
    const key = await keyed.make('ann', { tokensPerDay: 10 * LIMIT });
    const usage = { prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 };
    const open = held(answer({ pieces: ['Hello.'], usage }));
    const answering = await sendAll(key, LIMIT, { max_tokens: 9 });
    open();
    const answers = await Promise.all(answering);
    expect([count(answers, 200), count(answers, 429)]).toEqual([LIMIT, TOTAL - LIMIT]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('x-gateway-reason')).toBe('key_limited');
    expect(refused?.headers.get('x-should-retry')).toBe('false');
    const next = await keyed.complete(key, { max_tokens: 9 });
    expect(next.status).toBe(200);
    expect(next.headers.get('x-ratelimit-remaining-tokens')).toBe(String(5 * LIMIT));
  });

  it('count the tokens of the day that were used before there was a limit of them', async () => {
    const key = await keyed.make('ann');
    expect((await keyed.complete(key)).status).toBe(200);
    await keyed.ask('PATCH', '/dashboard/api/keys/ann', OPERATOR, { tokensPerDay: 1000 });
    const told = await keyed.complete(key, { max_tokens: 9 });
    expect([told.status, told.headers.get('x-ratelimit-remaining-tokens')]).toEqual([200, '970']);
  });

  it('let exactly so many requests run at once, of 1,000, and others after they have ended', async () => {
    const key = await keyed.make('ann', { concurrentRequests: 3 });
    const open = held(answer({ pieces: ['Hello.'] }));
    const answering = await sendAll(key, 3);
    open();
    const answers = await Promise.all(answering);
    expect([count(answers, 200), count(answers, 429)]).toEqual([3, TOTAL - 3]);
    expect((await keyed.complete(key)).status).toBe(200);
  });

  it('are told in the headers that users of the format know, in refusals, too', async () => {
    const key = await keyed.make('ann', { requestsPerMinute: 2, tokensPerDay: 1000 });
    const told = ({ headers }: Told): Record<string, string> =>
      Object.fromEntries([...headers].filter(([name]) => name.includes('ratelimit')));
    const message = { model: 'svc-max', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
    const before = Date.now();
    const first = await keyed.complete(key, { max_tokens: 9 });
    const second = await keyed.ask('POST', '/v1/messages', key, message);
    const refused = await keyed.ask('POST', '/v1/messages', key, message);
    expect([first.status, second.status, refused.status]).toEqual([200, 200, 429]);
    expect(told(first)).toEqual({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': '0s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '1000',
      'x-ratelimit-reset-tokens': expect.stringMatching(/^\d+s$/),
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    for (const answered of [second, refused]) {
      expect(told(answered)).toEqual({
        'anthropic-ratelimit-requests-limit': '2',
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': time,
        'anthropic-ratelimit-tokens-limit': '1000',
        'anthropic-ratelimit-tokens-remaining': expect.stringMatching(/^9\d\d$/),
        'anthropic-ratelimit-tokens-reset': time,
      });
    }
    expect(Date.parse(told(refused)['anthropic-ratelimit-requests-reset'] ?? '')).toBeGreaterThan(before);
    expect(Date.parse(told(refused)['anthropic-ratelimit-tokens-reset'] ?? '') % 86_400_000).toBe(0);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('are enforced for the models of a key', async () => {
    const key = await keyed.make('ann', { models: ['svc-plus'] });
    const refused = await keyed.complete(key);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      403,
      { error: { code: 'permission_denied', param: 'model' } },
    ]);
    expect((await keyed.complete(key, { model: 'svc-plus' })).status).toBe(200);
    const { data } = await keyed.json<{ data: { id: string }[] }>('GET', '/v1/models', key);
    expect(data.map(({ id }) => id)).toEqual(['svc-plus']);
    expect((await keyed.ask('GET', '/v1/models/svc-max', key)).status).toBe(404);
    expect((await keyed.ask('GET', '/v1/models/claude-haiku-4', key)).status).toBe(200);
    expect((await keyed.ask('GET', '/v1/models/claude-opus-4', key)).status).toBe(404);
  });

  it('count what a cancelled stream has taken', async () => {
    const key = await keyed.make('ann', { tokensPerDay: 100_000, concurrentRequests: 1 });
    keyed.gateway.stub.answerWith(endless(5));
    const control = new AbortController();
    const response = await keyed.gateway.post(
      { model: 'svc-max', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5000 },
      { headers: { authorization: `Bearer ${key}` }, signal: control.signal },
    );
    const reader = response.body!.getReader();
    let bytes = 0;
    while (bytes < 2000) {
      const { value } = (await reader.read()) as { value?: Uint8Array };
      bytes += value?.length ?? 0;
    }
    control.abort();
    await eventually(PATIENCE_MS, async () => {
      const [row] = await usage(key);
      expect(row).toMatchObject({ requests: 1, errors: 1 });
      expect(row?.completion_tokens).toBeGreaterThan(0);
    });
    const [row] = await usage(key);
    const spent = (row?.prompt_tokens ?? 0) + (row?.completion_tokens ?? 0);
    keyed.gateway.stub.answerWith(answer({ pieces: ['Hello.'], usage: USAGE }));
    const next = await keyed.complete(key);
    expect(next.headers.get('x-ratelimit-remaining-tokens')).toBe(String(100_000 - spent));
  });

  it('end the running stream of a key that is revoked, with an error', async () => {
    const key = await keyed.make('ann');
    keyed.gateway.stub.answerWith(endless(20));
    const response = await keyed.gateway.post(
      { model: 'svc-max', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5000 },
      { headers: { authorization: `Bearer ${key}` } },
    );
    const text = response.text().catch(() => 'cut');
    await keyed.ask('POST', '/dashboard/api/keys/ann/revoke', OPERATOR, { running: 'end' });
    expect(await text).not.toContain('[DONE]');
    expect((await keyed.complete(key)).status).toBe(401);
    const entry = keyed.gateway.entries.find(({ key: name }) => name === 'ann');
    expect(entry).toMatchObject({ outcome: 'client_error', error: { code: 'invalid_api_key' } });
  });

  it('let the running stream of a key that is revoked finish, where that is asked for', async () => {
    const key = await keyed.make('ann');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    keyed.gateway.stub.answerWith(async (reply) => {
      await reply.event(chunk({ content: 'Begun ' }));
      await released;
      await answer({ pieces: ['and done.'], usage: USAGE })(reply);
    });
    const response = await keyed.gateway.post(
      { model: 'svc-max', messages: [{ role: 'user', content: 'Hi' }], stream: true },
      { headers: { authorization: `Bearer ${key}` } },
    );
    await keyed.ask('POST', '/dashboard/api/keys/ann/revoke', OPERATOR, { running: 'finish' });
    expect((await keyed.complete(key)).status).toBe(401);
    release();
    const text = await response.text();
    expect(text).toContain('and done.');
    expect(text).toContain('[DONE]');
    await eventually(PATIENCE_MS, () =>
      expect(keyed.gateway.entries.find(({ key: name }) => name === 'ann')).toMatchObject({
        outcome: 'ok',
        usage: { completionTokens: 20 },
      }),
    );
  });
});
