import { afterEach, describe, expect, it } from '@jest/globals';
import { type FailureReason } from '../../src/common/errors/failure-reasons.js';
import { internalError } from '../support/gateway/error-texts.js';
import { type Answered, ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import {
  answer,
  failed,
  hangs,
  rateLimited,
  resets,
  streamError,
  truncated,
} from '../support/upstream/openai-stub-plans.js';

interface ErrorObject {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
}

const CUT = 'the upstream cut its answer off.';

/** The error of a response, after checking that it is the envelope and nothing else. */
function errorOf({ text, headers }: Answered): ErrorObject {
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  const body = JSON.parse(text) as { error: ErrorObject };
  expect(Object.keys(body)).toEqual(['error']);
  return body.error;
}

/** Cooldowns are up to a tenth longer than asked for, so that accounts do not come back all at once. */
function expectWait({ headers }: Answered, seconds: number): void {
  const wait = Number(headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(seconds - 1);
  expect(wait).toBeLessThanOrEqual(Math.ceil(seconds * 1.1));
}

/** Every row of the table of errors, over HTTP. */
describe('errors of POST /v1/chat/completions', () => {
  let gateway: StubGateway;

  async function start(settings: Parameters<typeof StubGateway.start>[0] = {}): Promise<void> {
    gateway = await StubGateway.start(settings);
  }

  afterEach(() => gateway.close());

  describe('400 invalid_request', () => {
    it.each<[string, object | string, string | undefined, string]>([
      ['no model', { messages: ASK.messages }, 'model', 'model is required.'],
      ['no messages', { model: 'svc-max' }, 'messages', 'messages is required.'],
      ['an empty object', {}, 'model', 'model is required.'],
      ['malformed JSON', '{"model":', undefined, 'The request body is not valid JSON'],
      ['no object', '[]', undefined, 'The request body must be a JSON object.'],
      ['no body', '', undefined, 'The request has no body; a JSON object is expected.'],
      [
        'an unknown role',
        { ...ASK, messages: [...ASK.messages, { role: 'robot', content: '' }] },
        'messages[1].role',
        'messages[1].role must be one of system, developer, user, assistant, tool.',
      ],
      [
        'a part of another kind',
        { ...ASK, messages: [{ role: 'user', content: [{ type: 'sticker', sticker: { url: 'x' } }] }] },
        'messages[0].content[0]',
        'messages[0].content[0] is of a type that this gateway does not know (got "sticker").',
      ],
      [
        'a tool result without the id of its call',
        { ...ASK, messages: [{ role: 'tool', content: '' }] },
        'messages[0].tool_call_id',
        'messages[0].tool_call_id must be a non-empty string.',
      ],
      [
        'a temperature out of range',
        { ...ASK, temperature: 3 },
        'temperature',
        'temperature must not be greater than 2.',
      ],
      ['a stream that is no boolean', { ...ASK, stream: 'yes' }, 'stream', 'stream must be a boolean value.'],
      [
        'max_tokens beyond the model',
        { ...ASK, max_tokens: 65_537 },
        'max_tokens',
        'max_tokens must be at most 65536, the most that svc-max generates.',
      ],
      [
        'a nameless tool',
        { ...ASK, tools: [{ type: 'function', function: {} }] },
        'tools[0].function.name',
        'tools[0].function.name must be',
      ],
    ])('%s', async (_what, body, param, message) => {
      await start();
      const answered = await gateway.complete(body);
      const { message: said, ...rest } = errorOf(answered);
      expect(answered.status).toBe(400);
      expect(rest).toEqual({
        type: 'invalid_request_error',
        code: 'invalid_request',
        param: param ?? null,
      });
      expect(said.startsWith(message)).toBe(true);
      expect(gateway.stub.requests).toEqual([]);
      expect(gateway.lastEntry).toMatchObject({ outcome: 'client_error', status: 400 });
    });

    it('keeps the words of an upstream that refuses for the log', async () => {
      await start();
      const message = 'temperature above 1 is refused on host-7';
      gateway.stub.answerWith(failed(400, { message }));
      const answered = await gateway.complete(ASK);
      expect(errorOf(answered)).toEqual({
        message: 'The upstream refused the request (status 400).',
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_request',
      });
      expect(gateway.lastEntry).toMatchObject({
        outcome: 'client_error',
        error: { cause: expect.stringContaining(message) },
        attempts: [{ outcome: 'invalid_request', detail: expect.stringContaining(message) }],
      });
    });
  });

  describe('400 context_window_exceeded', () => {
    const models = { small: { contextWindow: 100, maxOutputTokens: 10, thinking: true } };
    const body = { ...ASK, model: 'small', messages: [{ role: 'user', content: ' word'.repeat(101) }] };
    const error = {
      message:
        "This model's maximum context length is 100 tokens. However, your messages resulted in 101 tokens by estimate " +
        '(model small): the prompt is too long. Please reduce the length of the messages.',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_window_exceeded',
    };

    it.each([true, false])('before anything is sent upstream, stream: %s', async (stream) => {
      await start({ models });
      const answered = await gateway.complete({ ...body, stream });
      expect([answered.status, errorOf(answered)]).toEqual([400, error]);
      expect(gateway.stub.requests).toEqual([]);
    });

    it('when the upstream finds the prompt too long', async () => {
      await start({ models: { small: { ...models.small, contextWindow: 100_000 } } });
      gateway.stub.answerWith(
        failed(400, { message: 'maximum context length is 5000 tokens', code: 'context_length_exceeded' }),
      );
      const answered = await gateway.complete(body);
      expect([answered.status, errorOf(answered)]).toEqual([
        400,
        {
          ...error,
          message:
            "This model's maximum context length is 5000 tokens. However, the input and the answer that is asked for " +
            'exceed it together (model small): the prompt is too long. Please reduce the length of the messages.',
        },
      ]);
    });
  });

  it.each([
    ['none', {}],
    ['a wrong one', { authorization: 'Bearer key-2' }],
    ['one of another scheme', { authorization: 'Basic key-1' }],
    ['a wrong one in the other header', { 'x-api-key': 'key-2' }],
    ['two that differ', { authorization: 'Bearer key-1', 'x-api-key': 'key-2' }],
  ])('401 invalid_api_key with %s, and no word of the upstream', async (_what, headers) => {
    await start({ API_KEY: 'key-1' });
    const answered = await gateway.complete(ASK, { headers });
    const { message, ...rest } = errorOf(answered);
    expect(answered.status).toBe(401);
    expect(rest).toEqual({ type: 'authentication_error', param: null, code: 'invalid_api_key' });
    expect(message).not.toContain('key-1');
    expect(gateway.stub.requests).toEqual([]);
  });

  it.each([{ authorization: 'Bearer key-1' }, { 'x-api-key': 'key-1' }])(
    'lets the right key in as %j',
    async (headers) => {
      await start({ API_KEY: 'key-1' });
      gateway.stub.answerWith(answer());
      expect((await gateway.complete(ASK, { headers })).status).toBe(200);
    },
  );

  it.each<[string, object, number, ErrorObject, Record<string, string | null>]>([
    [
      'model_not_found',
      { body: { ...ASK, model: 'svc-mini' } },
      404,
      {
        message: "The model 'svc-mini' does not exist. GET /v1/models lists the available ones.",
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      },
      {},
    ],
    [
      'unsupported_media_type',
      { headers: { 'content-type': 'text/plain' } },
      415,
      {
        message: 'The Content-Type must be application/json (UTF-8).',
        type: 'invalid_request_error',
        param: null,
        code: 'unsupported_media_type',
      },
      {},
    ],
    [
      'method_not_allowed',
      { method: 'PUT' },
      405,
      {
        message: expect.any(String) as unknown as string,
        type: 'invalid_request_error',
        param: null,
        code: 'method_not_allowed',
      },
      { allow: 'POST' },
    ],
    [
      'origin_not_allowed',
      { headers: { origin: 'http://evil.example' } },
      403,
      {
        message:
          'Requests from pages of other sites are not allowed; ALLOWED_ORIGINS names those that may call the API.',
        type: 'invalid_request_error',
        param: null,
        code: 'origin_not_allowed',
      },
      { 'access-control-allow-origin': null },
    ],
    [
      'payload_too_large',
      { body: { ...ASK, messages: [{ role: 'user', content: 'x'.repeat(3000) }] } },
      413,
      {
        message: 'The request body is larger than the limit of 2048 bytes.',
        type: 'invalid_request_error',
        param: null,
        code: 'payload_too_large',
      },
      {},
    ],
  ])('%s', async (_code, { body = ASK, ...init }: { body?: object }, status, error, headers) => {
    await start({ BODY_LIMIT: 2048 });
    const answered = await gateway.complete(body, init);
    expect([answered.status, errorOf(answered)]).toEqual([status, error]);
    for (const [name, value] of Object.entries(headers)) {
      expect(answered.headers.get(name)).toBe(value);
    }
  });

  describe('429 rate_limit', () => {
    it.each([true, false])(
      'when every account cools down, with the time to wait, stream: %s',
      async (stream) => {
        await start();
        gateway.stub.answerWith(rateLimited({ retryAfter: '30' }));
        const first = await gateway.complete({ ...ASK, stream });
        const second = await gateway.complete({ ...ASK, stream });
        for (const answered of [first, second]) {
          expect(answered.status).toBe(429);
          expect(errorOf(answered)).toEqual({
            message: expect.stringMatching(
              /^The upstream limits the rate of requests: 1 of 1 accounts is limited until [-\d: ]+ UTC\. Please try again in 3\ds\.$/,
            ),
            type: 'rate_limit_error',
            param: null,
            code: 'rate_limit',
          });
          expect(answered.headers.get('x-gateway-reason')).toBe('rate_limited');
          expectWait(answered, 30);
          expect(answered.headers.get('x-should-retry')).toBeNull();
        }
        expect(gateway.stub.requests).toHaveLength(1);
        expect(gateway.lastEntry).toMatchObject({ outcome: 'rate_limited', status: 429 });
      },
    );

    it('tells SDKs not to retry when the wait is longer than they would wait', async () => {
      await start();
      gateway.stub.answerWith(rateLimited());
      const answered = await gateway.complete(ASK);
      expect([answered.status, answered.headers.get('x-should-retry')]).toEqual([429, 'false']);
      expectWait(answered, 120);
    });

    it('is not seen by the caller while another account is ready', async () => {
      await start({ UPSTREAM_API_KEYS: 'k1,k2' });
      gateway.stub.answerNextWith(rateLimited(), answer());
      expect((await gateway.complete(ASK)).status).toBe(200);
      expect(new Set(gateway.stub.requests.map(({ key }) => key))).toEqual(new Set(['k1', 'k2']));
    });
  });

  describe('500 internal_error', () => {
    const failures: [string, FailureReason, string, StubPlan][] = [
      [
        'an upstream that fails',
        'upstream_error',
        'the upstream failed to answer.',
        failed(500, { message: 'CUDA out of memory at /srv/secret' }),
      ],
      ['an upstream that breaks the connection', 'upstream_cut', CUT, resets()],
      ['an answer that ends before it begins', 'upstream_cut', CUT, truncated(0)],
      [
        'an error as the first event',
        'upstream_error',
        'the upstream failed to answer.',
        streamError({ message: 'overloaded', code: 500 }),
      ],
      ['an upstream that is overloaded', 'upstream_overloaded', 'the upstream is overloaded.', failed(503)],
    ];

    describe.each(failures)('%s', (_what, reason, told, plan) => {
      it.each([true, false])('stream: %s', async (stream) => {
        await start();
        gateway.stub.answerWith(plan);
        const answered = await gateway.complete({ ...ASK, stream });
        expect([answered.status, errorOf(answered)]).toEqual([500, internalError(told)]);
        expect(answered.headers.get('x-gateway-reason')).toBe(reason);
        expect(gateway.lastEntry).toMatchObject({
          outcome: 'upstream_error',
          status: 500,
          error: { reason, message: internalError(told).message },
        });
      });
    });

    it('an upstream that says nothing', async () => {
      await start({ UPSTREAM_FIRST_BYTE_MS: 100, RETRY_MAX_ATTEMPTS: 1 });
      gateway.stub.answerWith(hangs());
      const answered = await gateway.complete(ASK);
      expect([answered.status, errorOf(answered)]).toEqual([
        500,
        internalError('the upstream was silent for 0.1 s and did not begin to answer.'),
      ]);
      expect(answered.headers.get('x-gateway-reason')).toBe('upstream_timeout');
    });

    it.each([
      ['the wait is over', { POOL_ACQUIRE_TIMEOUT_MS: 20 }],
      ['the queue is full', { POOL_QUEUE_LIMIT: 0 }],
    ])('an exhausted session pool: %s', async (_why, settings) => {
      await start({ POOL_MAX_SESSIONS: 1, ...settings });
      gateway.stub.answerWith(hangs());
      const controller = new AbortController();
      const holder = gateway.post(ASK, { signal: controller.signal }).catch(() => undefined);
      await gateway.stub.waitFor(() => true);
      const answered = await gateway.complete(ASK);
      const { message, ...rest } = errorOf(answered);
      expect([answered.status, rest]).toEqual([
        500,
        { type: 'server_error', param: null, code: 'internal_error' },
      ]);
      expect(message).toMatch(/^Internal server error: the session pool is exhausted: /);
      controller.abort();
      await holder;
    });
  });
});
