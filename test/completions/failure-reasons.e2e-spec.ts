import { getHeapStatistics } from 'node:v8';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AccountCommands } from '../../src/accounts/registry/account-commands.js';
import { AccountRegistry } from '../../src/accounts/registry/account-registry.js';
import { type Settings } from '../../src/common/config/settings.js';
import { type FailureReason } from '../../src/common/errors/failure-reasons.js';
import { BodyBudget, bodyBudgetBytes, SMALL_BODIES_BYTES } from '../../src/common/http/body/body-budget.js';
import { conversation, echoesUntilCorrected } from '../support/gateway/echo-rig.js';
import { internalError } from '../support/gateway/error-texts.js';
import { LogClient, type LogPageBody } from '../support/gateway/log-client.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import {
  answer,
  failed,
  garbage,
  hangs,
  rateLimited,
  streamError,
  truncated,
} from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

interface Failure {
  readonly reason: FailureReason;
  readonly status: number;
  readonly settings?: Partial<Settings>;
  /** Plan of the upstream; it answers by default. */
  readonly plan?: StubPlan;
  readonly before?: (gateway: StubGateway) => Promise<unknown>;
  /** Of the request. */
  readonly fields?: object;
  /** The caller gets a dropped connection and no response. */
  readonly isDropped?: true;
}

const TOOL = { type: 'function', function: { name: 'now', parameters: { type: 'object' } } };
const ONE_SESSION = { POOL_MAX_SESSIONS: 1, POOL_QUEUE_LIMIT: 0, DRAIN_MS: 0 };
/** No server listens there. */
const NOWHERE = 'http://127.0.0.1:1/v1';

/** Says that it is there, and nothing else. */
const murmurs: StubPlan = async (reply) => {
  while (!reply.isClientGone) {
    await reply.raw(': still there\n\n');
    await reply.wait(10);
  }
};

const TOO_LONG = {
  message: "This model's maximum context length is 10 tokens.",
  code: 'context_length_exceeded',
};

async function takeOnlySession(gateway: StubGateway): Promise<void> {
  gateway.stub.answerNextWith(hangs(1));
  // It goes on until the gateway closes.
  void gateway.complete(ASK).catch(() => undefined);
  await gateway.stub.waitFor(() => true);
}

async function openBreaker(gateway: StubGateway): Promise<void> {
  for (let failure = 0; failure < 5; failure += 1) {
    await gateway.complete(ASK);
  }
}

const FAILURES: readonly Failure[] = [
  { reason: 'upstream_unreachable', status: 500, settings: { UPSTREAM_BASE_URL: NOWHERE } },
  { reason: 'upstream_timeout', status: 500, settings: { UPSTREAM_FIRST_BYTE_MS: 50 }, plan: hangs() },
  { reason: 'upstream_idle', status: 500, settings: { UPSTREAM_IDLE_MS: 50 }, plan: hangs(2) },
  { reason: 'upstream_endless', status: 500, settings: { UPSTREAM_PROGRESS_MS: 50 }, plan: murmurs },
  { reason: 'upstream_cut', status: 500, plan: truncated(2) },
  { reason: 'upstream_garbled', status: 500, plan: garbage() },
  { reason: 'upstream_overloaded', status: 500, plan: failed(503) },
  { reason: 'upstream_error', status: 500, plan: streamError({ message: 'Out of memory.' }) },
  { reason: 'upstream_refused', status: 400, plan: failed(422, { message: 'No.' }) },
  { reason: 'upstream_down', status: 500, plan: failed(500), before: openBreaker },
  { reason: 'rate_limited', status: 429, plan: rateLimited() },
  { reason: 'login_lost', status: 500, plan: failed(401, { message: 'Wrong key.' }) },
  { reason: 'no_account', status: 500, before: disableAccounts },
  { reason: 'pool_exhausted', status: 500, settings: ONE_SESSION, before: takeOnlySession },
  {
    reason: 'answer_echoed',
    status: 500,
    settings: { ECHO_ACTION: 'drop' },
    plan: echoesUntilCorrected(),
    fields: conversation(),
    isDropped: true,
  },
  {
    reason: 'answer_unusable',
    status: 500,
    settings: { TOOL_MODE: 'emulated' },
    plan: answer({ pieces: ['No.'] }),
    fields: { tools: [TOOL], tool_choice: 'required' },
  },
  { reason: 'gateway_busy', status: 429, before: takeBodyBudget },
  { reason: 'context_window_exceeded', status: 400, plan: failed(400, TOO_LONG) },
  { reason: 'invalid_request', status: 400, fields: { n: 0 } },
  { reason: 'model_not_found', status: 404, fields: { model: 'svc-mini' } },
];

async function disableAccounts(gateway: StubGateway): Promise<void> {
  for (const { id } of gateway.app.get(AccountRegistry).list()) {
    await gateway.app.get(AccountCommands).disable(null, id);
  }
}

/** As if large requests were being received. */
async function takeBodyBudget(gateway: StubGateway): Promise<void> {
  const budget = gateway.app.get(BodyBudget);
  budget.take(bodyBudgetBytes(getHeapStatistics().heap_size_limit));
  budget.take(SMALL_BODIES_BYTES, 0);
}

/** One failure as callers, operators and alert rules read it. */
describe('the reason of a failure', () => {
  let gateway: StubGateway;

  async function start(settings: Partial<Settings> = {}): Promise<void> {
    gateway = await StubGateway.start({ RETRY_MAX_ATTEMPTS: 1, ...settings });
  }

  afterEach(() => gateway.close());

  async function get(path: string): Promise<string> {
    return (await fetch(`${gateway.origin}${path}`)).text();
  }

  async function logged(query: string): Promise<LogPageBody['entries']> {
    return (await new LogClient(gateway.origin).page(`?${query}`)).entries;
  }

  it.each(FAILURES)('$reason is one word in header, log, filter and metrics', async (failure) => {
    const { reason, status, settings, plan, before, fields, isDropped } = failure;
    await start(settings);
    gateway.stub.answerWith(plan ?? answer());
    await before?.(gateway);
    const answered = gateway.complete({ ...ASK, stream: false, ...fields });
    if (isDropped) {
      await expect(answered).rejects.toThrow('fetch failed');
    } else {
      const { status: code, headers } = await answered;
      expect([code, headers.get('x-gateway-reason')]).toEqual([status, reason]);
    }
    await eventually(PATIENCE_MS, async () => {
      expect(gateway.lastEntry).toMatchObject({ error: { reason } });
      expect(await logged(`reason=${reason}`)).toMatchObject([
        { id: gateway.lastEntry?.id, error: { reason } },
      ]);
      expect(await get('/metrics')).toContain(`gateway_request_failures_total{reason="${reason}"} 1\n`);
    });
  });

  it('is missing where nothing failed', async () => {
    await start();
    gateway.stub.answerWith(answer());
    const { status, headers } = await gateway.complete({ ...ASK, stream: false });
    expect([status, headers.get('x-gateway-reason')]).toEqual([200, null]);
    await gateway.complete({ ...ASK, n: 0 });
    expect(await logged('reason=upstream_idle')).toEqual([]);
    expect(await logged('reason=&limit=500')).toHaveLength(gateway.entries.length);
    expect(await get('/metrics')).toContain('gateway_request_failures_total{reason="invalid_request"} 1\n');
    expect((await get('/metrics')).match(/request_failures_total\{/g)).toHaveLength(1);
  });

  it('must be a known one in the filter', async () => {
    await start();
    expect(JSON.parse(await get('/log/json?reason=timeout'))).toMatchObject({
      error: {
        code: 'invalid_request',
        param: 'reason',
        message: expect.stringMatching(/^reason must be one of upstream_/),
      },
    });
  });

  it('upstream_overloaded comes with the time that the upstream has asked for, which is beyond any retry', async () => {
    await start();
    const before = gateway.stub.requests.length;
    gateway.stub.answerWith(failed(503, { message: 'overloaded' }, { 'retry-after': '7' }));
    const { status, headers } = await gateway.complete(ASK);
    expect([status, headers.get('x-gateway-reason'), headers.get('retry-after')]).toEqual([
      500,
      'upstream_overloaded',
      '7',
    ]);
    expect(gateway.stub.requests.length - before).toBe(1);
  });

  it('upstream_down comes with the time until the breaker lets a request through', async () => {
    await start();
    gateway.stub.answerWith(failed(500));
    await openBreaker(gateway);
    const { status, headers, text } = await gateway.complete(ASK);
    expect([status, headers.get('x-gateway-reason')]).toEqual([500, 'upstream_down']);
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(10);
    expect(JSON.parse(text)).toEqual({
      error: internalError(
        `the upstream keeps failing at this conversation, so it is refused for ${wait} s.`,
      ),
    });
  });

  it('no_account comes with a time to ask again', async () => {
    await start();
    await disableAccounts(gateway);
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
