import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import {
  answer,
  answerEvents,
  type AnswerOptions,
  jsonAnswer,
} from '../support/upstream/openai-stub-plans.js';

const MARKS = '"system_fingerprint":"fp_gateway_1","service_tier":"default"';
const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  completion_tokens_details: { reasoning_tokens: 2 },
  prompt_tokens_details: { cached_tokens: 5 },
};

interface Ending {
  readonly reason?: string;
  readonly usage?: object;
  readonly model?: string;
}

/** The whole text of a stream with these deltas between the first and the last chunk. */
function streamOf(
  deltas: readonly object[],
  { reason = 'stop', usage, model = 'svc-max' }: Ending = {},
): string {
  const head = `"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"${model}"`;
  const chunk = (delta: object, marks = ''): string =>
    `data: {${head}${marks},"choices":[{"index":0,"delta":${JSON.stringify(delta)},"logprobs":null,"finish_reason":null}]}\n\n`;
  const last =
    `data: {${head},${MARKS},"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"${reason}"}]` +
    `${usage ? `,"usage":${JSON.stringify(usage)}` : ''}}\n\n`;
  return (
    `: heartbeat\n\n${chunk({ role: 'assistant', content: '' }, `,${MARKS}`)}` +
    `${deltas.map((delta) => chunk(delta)).join('')}${last}data: [DONE]\n\n`
  );
}

function completionOf(
  message: object,
  { reason = 'stop', usage = USAGE, model = 'svc-max' }: Ending = {},
): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    system_fingerprint: 'fp_gateway_1',
    service_tier: 'default',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', refusal: null, ...message },
        logprobs: null,
        finish_reason: reason,
      },
    ],
    usage,
  };
}

const text = (content: string): object => ({ content });
const thought = (reasoning_content: string): object => ({ reasoning_content });

/** The contract of the endpoint over HTTP, with a scripted upstream. */
describe('POST /v1/chat/completions', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start();
  });

  afterAll(() => gateway.close());

  /** Streams one answer of the upstream; the whole text. */
  async function stream(options: AnswerOptions, fields: object = {}): Promise<string> {
    gateway.stub.answerWith(answer(options));
    const response = await gateway.complete({ ...ASK, ...fields });
    expect(response.status).toBe(200);
    return response.text;
  }

  /** Asks for one JSON body; the whole object. */
  async function json(options: AnswerOptions, fields: object = {}): Promise<unknown> {
    gateway.stub.answerWith(answer(options));
    const response = await gateway.complete({ ...ASK, stream: false, ...fields });
    expect(response.status).toBe(200);
    return JSON.parse(response.text);
  }

  describe('as a stream', () => {
    it('is what an answer is when nothing else is asked for, byte for byte', async () => {
      gateway.stub.answerWith(answer({ reasoning: ['Hm', '…'], pieces: ['Hel', 'lo 😀\n'], usage: USAGE }));
      const { status, headers, text: body } = await gateway.complete(ASK);
      expect(body).toBe(streamOf([thought('Hm'), thought('…'), text('Hel'), text('lo 😀\n')]));
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
      expect(headers.get('cache-control')).toBe('no-cache, no-transform');
      expect(headers.get('x-accel-buffering')).toBe('no');
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    });

    it('carries the usage of the upstream on the last chunk if it is asked for', async () => {
      const options = { stream: true, stream_options: { include_usage: true } };
      expect(await stream({ usage: USAGE }, options)).toBe(
        streamOf([text('Hello'), text(' there')], { usage: USAGE }),
      );
    });

    it('counts the tokens itself if the upstream does not', async () => {
      const options = { stream_options: { include_usage: true } };
      expect(await stream({ reasoning: ['Think first.'], pieces: ['Hello there.'] }, options)).toBe(
        streamOf([thought('Think first.'), text('Hello there.')], {
          usage: {
            prompt_tokens: 1,
            completion_tokens: 6,
            total_tokens: 7,
            completion_tokens_details: { reasoning_tokens: 3 },
            prompt_tokens_details: { cached_tokens: 0 },
          },
        }),
      );
    });

    it('splits <think> tags from the text', async () => {
      expect(await stream({ pieces: ['<thi', 'nk>\nHm', '</think>', '\n\nHi'] })).toBe(
        streamOf([thought('Hm'), text('Hi')]),
      );
    });

    it('has no reasoning for a -no-thinking model, whatever the upstream says', async () => {
      const model = 'svc-max-no-thinking';
      const said = await stream({ reasoning: ['Hm'], pieces: ['Hi'] }, { model });
      expect(said).toBe(streamOf([text('Hi')], { model }));
      const tagged = await stream({ pieces: ['<think>Hm</think>Hi'] }, { model });
      expect(tagged).toBe(streamOf([text('Hi')], { model }));
      expect(gateway.stub.requests.at(-1)?.body).toMatchObject({
        model: 'svc-max',
        reasoning_effort: 'none',
      });
    });

    it('can be empty', async () => {
      expect(await stream({ pieces: [] })).toBe(streamOf([]));
    });

    it('ends with "length" at max_tokens, and cancels the upstream', async () => {
      const endless = answer({ pieces: Array.from({ length: 10_000 }, () => ' word'), intervalMs: 1 });
      gateway.stub.answerWith(endless);
      const { text: body } = await gateway.complete({ ...ASK, max_tokens: 5 });
      expect(body).toBe(
        streamOf(
          Array.from({ length: 5 }, () => text(' word')),
          { reason: 'length' },
        ),
      );
      const last = gateway.stub.requests.at(-1);
      await gateway.stub.waitFor((request) => request === last && request.abortedAt !== undefined);
    });

    it('ends with "length" if the upstream was cut by its own limit', async () => {
      expect(await stream({ pieces: ['Hel'], finishReason: 'length' })).toBe(
        streamOf([text('Hel')], { reason: 'length' }),
      );
    });

    it('ends before a stop sequence, over pieces', async () => {
      expect(await stream({ pieces: ['one E', 'N', 'D two'] }, { stop: ['END'] })).toBe(
        streamOf([text('one ')]),
      );
    });

    it('carries tool calls', async () => {
      const toolCalls = [
        { id: 'call_a', name: 'read', arguments: ['{"path":', '"a.txt"', '}'] },
        { id: 'call_b', name: 'grep', arguments: ['{}'] },
      ];
      const tools = ['read', 'grep'].map((name) => ({ type: 'function', function: { name } }));
      const call = (fields: object): object => ({ tool_calls: [fields] });
      expect(await stream({ pieces: [], toolCalls }, { tools })).toBe(
        streamOf(
          [
            call({ index: 0, id: 'call_a', type: 'function', function: { name: 'read', arguments: '' } }),
            call({ index: 0, function: { arguments: '{"path":"a.txt' } }),
            call({ index: 0, function: { arguments: '"}' } }),
            call({ index: 1, id: 'call_b', type: 'function', function: { name: 'grep', arguments: '' } }),
            call({ index: 1, function: { arguments: '{}' } }),
          ],
          { reason: 'tool_calls' },
        ),
      );
      expect(gateway.stub.requests.at(-1)?.body).toMatchObject({ tools, tool_choice: 'auto' });
    });
  });

  describe('as one JSON body', () => {
    it('holds the whole answer', async () => {
      gateway.stub.answerWith(answer({ reasoning: ['Hm', '…'], pieces: ['Hel', 'lo 😀'], usage: USAGE }));
      const { status, headers, text: body } = await gateway.complete({ ...ASK, stream: false });
      expect(JSON.parse(body)).toEqual(completionOf({ content: 'Hello 😀', reasoning_content: 'Hm…' }));
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    });

    it('has null content where the model only calls tools', async () => {
      const toolCalls = [{ id: 'call_a', name: 'read', arguments: ['{"path":', '"a"}'] }];
      const tools = [{ type: 'function', function: { name: 'read' } }];
      expect(await json({ pieces: [], toolCalls, usage: USAGE }, { tools })).toEqual(
        completionOf(
          {
            content: null,
            tool_calls: [
              { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
            ],
          },
          { reason: 'tool_calls' },
        ),
      );
    });

    it('has an id for a call to which the upstream gave none, though no tools were offered', async () => {
      const toolCalls = [{ id: '', name: 'read', arguments: ['{}'] }];
      const call = {
        id: expect.stringMatching(/^call_\w{32}$/),
        function: { name: 'read', arguments: '{}' },
      };
      expect(await json({ pieces: [], toolCalls })).toMatchObject({
        choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }],
      });
    });

    it('is cut at max_tokens', async () => {
      const answered = await json({ pieces: [' one two', ' three four'] }, { max_tokens: 3 });
      expect(answered).toMatchObject({
        choices: [{ message: { content: ' one two three' }, finish_reason: 'length' }],
        usage: { completion_tokens: 3 },
      });
    });

    it('is made from an upstream that answers as one body, too', async () => {
      gateway.stub.answerWith(jsonAnswer({ content: 'Hello' }, 'stop', USAGE));
      const { text: body } = await gateway.complete({ ...ASK, stream: false });
      expect(JSON.parse(body)).toEqual(completionOf({ content: 'Hello' }));
    });
  });

  it('takes a conversation in every form that clients send', async () => {
    const call = { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{}' } };
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Read' }] },
      { role: 'user', content: 'it.', name: 'ann' },
      { role: 'assistant', content: null, reasoning_content: 'Hm', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_a', content: [{ type: 'text', text: 'found' }] },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'And?' },
    ];
    const fields = {
      messages,
      max_completion_tokens: 50,
      n: 1,
      seed: 3,
      reasoning_effort: 'low',
      parallel_tool_calls: true,
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
      user: 'u',
      metadata: {},
      store: false,
      tools: [{ type: 'function', function: { name: 'read', strict: true, parameters: { $defs: {} } } }],
      logit_bias: { 1: 2 },
      unknown_field: [1],
    };
    expect(await stream({ pieces: ['{}'] }, fields)).toBe(streamOf([text('{}')]));
    expect(gateway.stub.requests.at(-1)?.body).toMatchObject({
      max_tokens: 50,
      seed: 3,
      response_format: fields.response_format,
      tools: fields.tools,
    });
    expect(gateway.stub.requests.at(-1)?.body).not.toHaveProperty('unknown_field');
  });

  it('answers 50 callers at once, each with its own text', async () => {
    gateway.stub.answerWith(async (reply) => {
      const said = reply.request.body.messages?.at(-1)?.content ?? '';
      for (const event of answerEvents({ pieces: [said, ' again'] })) {
        await reply.wait(1);
        await reply.event(event);
      }
      await reply.event('[DONE]');
      reply.end();
    });
    const names = Array.from({ length: 50 }, (_, index) => `caller ${index}`);
    const answers = await Promise.all(
      names.map((content) => gateway.complete({ ...ASK, messages: [{ role: 'user', content }] })),
    );
    expect(answers.map((one) => one.text)).toEqual(
      names.map((name) => streamOf([text(name), text(' again')])),
    );
  });

  it('logs each request once, with what became of it', async () => {
    await stream({ reasoning: ['Hm'], pieces: ['Hi'], usage: USAGE });
    expect(gateway.lastEntry).toEqual({
      kind: 'request',
      id: expect.stringMatching(/^req_/),
      startedAt: expect.any(Number),
      method: 'POST',
      path: '/v1/chat/completions',
      operation: 'completion',
      outcome: 'ok',
      status: 200,
      totalMs: expect.any(Number),
      model: 'svc-max',
      stream: true,
      account: expect.any(String),
      sessionId: expect.any(String),
      receivedMs: expect.any(Number),
      preparedMs: expect.any(Number),
      queuedMs: expect.any(Number),
      acceptedMs: expect.any(Number),
      firstAnswerMs: expect.any(Number),
      attempts: [
        expect.objectContaining({
          outcome: 'ok',
          considered: [expect.objectContaining({ outcome: expect.any(String) })],
        }),
      ],
      usage: { promptTokens: 11, completionTokens: 7, reasoningTokens: 2, cachedTokens: 5 },
      finishReason: 'stop',
      client: 'node',
      firstTokenMs: expect.any(Number),
      conversation: expect.stringMatching(/^[0-9a-f]{16}$/),
      turn: 1,
      excerpt: 'Hi',
      inputChars: { user: 2 },
      parameters: { max_tokens: 1000 },
      content: { messages: [{ role: 'user', content: 'Hi' }], reasoning: 'Hm', answer: 'Hi' },
    });
  });
});

describe('POST /v1/chat/completions with STREAM_DEFAULT=false', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start({ STREAM_DEFAULT: 'false' });
    gateway.stub.answerWith(answer({ pieces: ['Hi'], usage: USAGE }));
  });

  afterAll(() => gateway.close());

  it('answers with one JSON body unless a stream is asked for', async () => {
    const { text: body } = await gateway.complete(ASK);
    expect(JSON.parse(body)).toEqual(completionOf({ content: 'Hi' }));
    const streamed = await gateway.complete({ ...ASK, stream: true });
    expect(streamed.text).toBe(streamOf([text('Hi')]));
  });
});
