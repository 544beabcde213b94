import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { type LogPage } from '../../src/logs/logs.service.js';
import { internalError } from '../support/gateway/error-texts.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed, resets } from '../support/upstream/openai-stub-plans.js';

/** What callers, operators and alert rules read of one failure. */
describe('the reason of a failure', () => {
  let gateway: StubGateway;

  beforeEach(async () => {
    gateway = await StubGateway.start({ RETRY_MAX_ATTEMPTS: 1 });
  });

  afterEach(() => gateway.close());

  async function get(path: string): Promise<string> {
    return (await fetch(`${gateway.origin}${path}`)).text();
  }

  async function logged(query: string): Promise<LogPage['entries']> {
    return (JSON.parse(await get(`/log/json?${query}`)) as LogPage).entries;
  }

  it('is one word in header, log, filter and metrics', async () => {
    gateway.stub.answerNextWith(resets(), failed(503), answer());
    const cut = await gateway.complete({ ...ASK, stream: false });
    const overloaded = await gateway.complete({ ...ASK, stream: false });
    const whole = await gateway.complete({ ...ASK, stream: false });
    const unknown = await gateway.complete({ ...ASK, model: 'svc-mini' });
    const words = [cut, overloaded, whole, unknown].map(({ headers }) => headers.get('x-gateway-reason'));
    expect(words).toEqual(['upstream_cut', 'upstream_overloaded', null, 'model_not_found']);
    for (const reason of ['upstream_cut', 'upstream_overloaded', 'model_not_found']) {
      expect(await logged(`reason=${reason}`)).toMatchObject([{ error: { reason } }]);
    }
    expect(await logged('reason=upstream_idle')).toEqual([]);
    expect(await logged('reason=&limit=500')).toHaveLength(gateway.entries.length);
    const failures = (await get('/metrics'))
      .split('\n')
      .filter((line) => line.includes('request_failures_total{'));
    expect(failures.sort()).toEqual([
      'gateway_request_failures_total{reason="model_not_found"} 1',
      'gateway_request_failures_total{reason="upstream_cut"} 1',
      'gateway_request_failures_total{reason="upstream_overloaded"} 1',
    ]);
  });

  it('must be a known one in the filter', async () => {
    expect(JSON.parse(await get('/log/json?reason=timeout'))).toMatchObject({
      error: {
        code: 'invalid_request',
        param: 'reason',
        message: expect.stringMatching(/^reason must be one of upstream_/),
      },
    });
  });

  it('upstream_down comes with the time until the breaker lets a request through', async () => {
    gateway.stub.answerWith(failed(500));
    for (let failure = 0; failure < 5; failure += 1) {
      await gateway.complete(ASK);
    }
    const { status, headers, text } = await gateway.complete(ASK);
    expect([status, headers.get('x-gateway-reason')]).toEqual([500, 'upstream_down']);
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(10);
    expect(JSON.parse(text)).toEqual({
      error: internalError(`the upstream keeps failing, so requests are refused for ${wait} s.`),
    });
  });

  it('no_account comes with a time to ask again', async () => {
    const [account] = gateway.app.get(AccountRegistry).list();
    await gateway.app.get(AccountCommands).disable(account!.id);
    const { status, headers, text } = await gateway.complete(ASK);
    expect([status, headers.get('x-gateway-reason'), headers.get('retry-after')]).toEqual([
      500,
      'no_account',
      '60',
    ]);
    expect(JSON.parse(text)).toEqual({
      error: internalError('no account can be used: 1 of 1 accounts is disabled. The dashboard says more.'),
    });
  });
});
