import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../src/common/time/clock.js';
import { OpenAiDriver } from '../../src/upstream/openai/openai-driver.js';
import { type UpstreamBatch, type UpstreamEvent } from '../../src/upstream/upstream-driver.js';
import { ACCEPTED, accountWith, done, OpenAiDriverRig, text } from '../support/upstream/openai-driver-rig.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import * as plans from '../support/upstream/openai-stub-plans.js';

const numbered = (count: number): UpstreamEvent[] =>
  Array.from({ length: count }, (_, index) => text(`${index} `));

let rig: OpenAiDriverRig;

beforeEach(async () => {
  rig = await OpenAiDriverRig.start();
});

afterEach(async () => {
  await rig.close();
});

const failure = (name: string, fault: string): unknown => expect.objectContaining({ name, fault });
const unavailable = (fault: string): unknown => failure('UnavailableError', fault);

describe('OpenAiDriver', () => {
  it('has one account for each key', () => {
    const seeds = (apiKeys: string): unknown =>
      new OpenAiDriver({ baseUrl: 'http://localhost/v1', apiKeys, clock: new SystemClock() }).seeds();
    expect(seeds(' one, two,one,')).toEqual([
      { name: 'key-7692c3ad', credentials: { key: 'one' } },
      { name: 'key-3fc4ccfe', credentials: { key: 'two' } },
    ]);
    expect(seeds('')).toEqual([{ name: 'keyless', credentials: { key: '' } }]);
  });

  it('sends the key, the prompt and the parameters', async () => {
    await rig.outcomeOf(plans.answer());
    const [request] = rig.stub.requests;
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer k1',
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
    });
    expect(request?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.7,
      top_p: 0.9,
      max_tokens: 100,
    });
  });

  it('sends no Authorization for an account without a key', async () => {
    rig.session = await rig.driver.open(accountWith(''), new AbortController().signal);
    await rig.outcomeOf(plans.answer());
    expect(rig.stub.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('refuses an account that has other credentials, as one that was stored long ago may', async () => {
    const account = { ...accountWith(''), credentials: { apiKey: 'k1' } };
    await expect(rig.driver.open(account, new AbortController().signal)).rejects.toMatchObject({
      name: 'LoginRequiredError',
      fault: 'invalid_credentials',
      message: "The credential 'key' is missing.",
    });
  });

  it('refuses a key that no header can carry', async () => {
    await expect(rig.driver.open(accountWith('k\n1'), new AbortController().signal)).rejects.toMatchObject({
      name: 'LoginRequiredError',
      fault: 'invalid_credentials',
    });
  });

  it('uses its connections again', async () => {
    for (let count = 0; count < 5; count++) {
      await rig.outcomeOf(plans.answer());
    }
    // A request that comes before the last body has ended takes another connection.
    expect(new Set(rig.stub.requests.map(({ clientPort }) => clientPort)).size).toBeLessThanOrEqual(2);
  });
});

describe('an answer', () => {
  const usage = {
    prompt_tokens: 5,
    completion_tokens: 4,
    completion_tokens_details: { reasoning_tokens: 2 },
  };
  const usageEvent: UpstreamEvent = {
    type: 'usage',
    usage: { promptTokens: 5, completionTokens: 4, reasoningTokens: 2, cachedTokens: 0 },
  };

  it('is text, reasoning and usage', async () => {
    const plan = plans.answer({ reasoning: ['Hm', '.'], pieces: ['Hel', 'lo 😀'], usage });
    expect(await rig.outcomeOf(plan)).toEqual({
      events: [
        ACCEPTED,
        { type: 'reasoning', text: 'Hm' },
        { type: 'reasoning', text: '.' },
        text('Hel'),
        text('lo 😀'),
        usageEvent,
        done(),
      ],
    });
  });

  it('may call tools', async () => {
    const toolCalls = [{ id: 'a', name: 'f', arguments: ['{"x":', '1}'] }];
    expect(await rig.outcomeOf(plans.answer({ pieces: [], toolCalls }))).toEqual({
      events: [
        ACCEPTED,
        { type: 'toolCall', delta: { index: 0, id: 'a', name: 'f', arguments: '' } },
        { type: 'toolCall', delta: { index: 0, arguments: '{"x":' } },
        { type: 'toolCall', delta: { index: 0, arguments: '1}' } },
        done('tool_calls'),
      ],
    });
  });

  it('may be one JSON body', async () => {
    expect(
      await rig.outcomeOf(plans.jsonAnswer({ content: 'Hello', reasoning: 'Hm' }, 'length', usage)),
    ).toEqual({
      events: [ACCEPTED, { type: 'reasoning', text: 'Hm' }, text('Hello'), usageEvent, done('length')],
    });
  });

  it('is complete without [DONE], and not without finish reason and [DONE]', async () => {
    expect(await rig.outcomeOf(plans.answer({ pieces: 2, done: false }))).toEqual({
      events: [ACCEPTED, ...numbered(2), done()],
    });
    expect(await rig.outcomeOf(plans.truncated(2))).toEqual({ events: [ACCEPTED, ...numbered(2)] });
  });

  it('is repeated by no cumulative upstream', async () => {
    const pieces = ['One ', 'two ', 'three ', 'four ', 'five.'];
    const { events } = await rig.outcomeOf(
      plans.answer({ pieces, reasoning: pieces, cumulative: true, usage }),
    );
    const joined = (type: string): string =>
      events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
    expect(joined('text')).toBe(pieces.join(''));
    expect(joined('reasoning')).toBe(pieces.join(''));
    expect(events.slice(-2)).toEqual([usageEvent, done()]);
  });

  it('comes in one batch a read', async () => {
    const body = plans
      .answerEvents({ pieces: 50 })
      .map((event) => `data: ${JSON.stringify(event)}\n\n`)
      .join('');
    const batches: UpstreamBatch[] = [];
    rig.stub.answerWith(plans.withBytes({ 'content-type': 'text/event-stream' }, `${body}data: [DONE]\n\n`));
    await rig.send({ onBatch: (batch) => batches.push(batch) });
    expect(batches).toEqual([[ACCEPTED, ...numbered(50), done()]]);
  });

  it('is the same at every split of its bytes', async () => {
    const stream = Buffer.from(
      ': hi\r\n\r\ndata: {"choices":[{"delta":{"content":"é😀"}}]}\r\n\r\n' +
        'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    );
    for (let at = 0; at <= stream.length; at++) {
      const outcome = await rig.outcomeOf(async (reply) => {
        await reply.raw(stream.subarray(0, at));
        await reply.raw(stream.subarray(at));
        reply.end();
      });
      expect({ at, ...outcome }).toEqual({ at, events: [ACCEPTED, text('é😀'), text('ok'), done()] });
    }
  });

  it('keeps what is readable of invalid UTF-8', async () => {
    expect(await rig.outcomeOf(plans.invalidUtf8())).toEqual({
      events: [ACCEPTED, text('a\uFFFD\uFFFDb'), done()],
    });
  });

  it('ends although the upstream keeps the connection open', async () => {
    const finished = plans.answerEvents({ pieces: 1 });
    const open = async (reply: Parameters<StubPlan>[0], last?: string): Promise<void> => {
      for (const event of [...finished, ...(last === undefined ? [] : [last])]) {
        await reply.event(event);
      }
      await reply.hang();
    };
    expect(await rig.outcomeOf((reply) => open(reply, '[DONE]'))).toEqual({
      events: [ACCEPTED, text('0 '), done()],
    });
    expect(await rig.outcomeOf((reply) => open(reply))).toEqual({ events: [ACCEPTED, text('0 '), done()] });
    await rig.stub.waitFor(() => rig.stub.requests.every(({ abortedAt }) => abortedAt !== undefined));
  });
});

describe('a failure', () => {
  const outOfContext = { message: 'too long', code: 'context_length_exceeded' };

  it.each<[string, StubPlan, unknown]>([
    [
      '429 with a time',
      plans.rateLimited({ retryAfter: '7' }),
      expect.objectContaining({ retryAfterMs: 7000 }),
    ],
    [
      '429 without',
      plans.rateLimited(),
      expect.objectContaining({ name: 'RateLimitedError', retryAfterMs: undefined }),
    ],
    [
      '429 in HTML',
      plans.rateLimited({ body: `<html>${'x'.repeat(100_000)}` }),
      failure('RateLimitedError', 'rate_limited'),
    ],
    [
      'a rate limit in the stream',
      plans.streamError({ message: 'Try again in 2s', code: 429 }),
      expect.objectContaining({ retryAfterMs: 2000 }),
    ],
    ['401', plans.failed(401), failure('LoginRequiredError', 'login_wall')],
    ['400', plans.failed(400, { message: 'no' }), failure('RejectedError', 'invalid_request')],
    ['404', plans.failed(404), failure('RejectedError', 'invalid_request')],
    ['400 for length', plans.failed(400, outOfContext), failure('RejectedError', 'too_long')],
    ['413', plans.failed(413), failure('RejectedError', 'too_long')],
    ['500', plans.failed(500), unavailable('upstream_status_500')],
    [
      'a redirect',
      plans.failed(302, '', { location: 'http://127.0.0.1:1/' }),
      unavailable('upstream_status_302'),
    ],
    ['garbage', plans.garbage(), unavailable('malformed_event')],
    ['another content type', plans.wrongType(), unavailable('unexpected_content_type')],
    ['an encoding that was not asked for', plans.gzipGarbage(), unavailable('unexpected_content_type')],
    ['nothing', plans.empty(), unavailable('empty_response')],
    ['a reset before the headers', plans.resets(), unavailable('connection_lost')],
    ['bytes that are no HTTP', (reply) => reply.notHttp(), unavailable('connection_lost')],
  ])('of %s leaves the prompt unaccepted', async (_what, plan, error) => {
    expect(await rig.outcomeOf(plan)).toEqual({ events: [], error });
  });

  it.each<[string, StubPlan, UpstreamEvent[], unknown]>([
    ['a reset', plans.resets(3), numbered(3), unavailable('stream_reset')],
    ['an error object', plans.streamError({ message: 'x' }, 3), numbered(3), unavailable('upstream_error')],
    ['a line that never ends', plans.longLine(9 * 2 ** 20), numbered(1), unavailable('line_too_long')],
  ])('within an answer, %s, comes after the text', async (_what, plan, events, error) => {
    expect(await rig.outcomeOf(plan)).toEqual({ events: [ACCEPTED, ...events], error });
  });

  it('after the success status means that the prompt was taken', async () => {
    const outcome = await rig.outcomeOf((reply) => {
      reply.head();
      setImmediate(() => reply.reset());
    });
    expect(outcome).toEqual({ events: [ACCEPTED], error: unavailable('stream_reset') });
  });

  it('of one request leaves the others alone', async () => {
    rig.stub.answerNextWith(plans.answer({ pieces: 3 }), plans.resets(1), plans.answer({ pieces: 3 }));
    const outcomes = await Promise.all([rig.send(), rig.send(), rig.send()]);
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(2);
  });

  it('says nothing of what the upstream said, except to the log', async () => {
    const { error } = await rig.outcomeOf(
      plans.failed(500, { message: 'db at 10.0.0.7 down for sk-abcdef' }),
    );
    expect((error as Error).message).toBe('The upstream answered with status 500.');
    expect((error as Error).cause).toEqual(new Error('db at 10.0.0.7 down for [redacted]'));
  });

  it('is an upstream that cannot be reached', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    const unreachable = new OpenAiDriver({
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKeys: '',
      clock: new SystemClock(),
    });
    rig.session = await unreachable.open(accountWith(''), new AbortController().signal);
    expect(await rig.send()).toEqual({ events: [], error: unavailable('connect_failed') });
    await unreachable.close();
  });

  const unknownField = { message: 'Unrecognized request argument: chat_template_kwargs' };

  it.each<[string, StubPlan]>([
    ['', plans.failed(400, unknownField)],
    [' in the stream', plans.streamError({ ...unknownField, code: 400 })],
  ])('that names an optional field%s makes the next try do without', async (_where, plan) => {
    rig.stub.answerNextWith(plan);
    rig.stub.answerWith(plans.answer({ pieces: 1 }));
    const request = { thinking: false };
    expect(await rig.send({ request })).toEqual({ events: [], error: unavailable('unsupported_field') });
    expect(await rig.send({ request })).toEqual({ events: [ACCEPTED, text('0 '), done()] });
    expect(rig.stub.requests.map(({ body }) => [body.reasoning_effort, body.chat_template_kwargs])).toEqual([
      ['none', { enable_thinking: false, thinking: false }],
      ['none', undefined],
    ]);
  });
});
