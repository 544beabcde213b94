import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { normalised, StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, chunk, failed, rateLimited, resets } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

/*
 * Whole streams of the Messages format. The rules are those of
 * [S] https://platform.claude.com/docs/en/build-with-claude/streaming (order and names of the events, pings, errors)
 * [T] https://platform.claude.com/docs/en/build-with-claude/extended-thinking (signatures, display)
 * [M] https://platform.claude.com/docs/en/api/messages (fields, stop reasons, usage)
 * [E] https://platform.claude.com/docs/en/api/errors (envelope, types)
 */

const ASK = {
  model: 'svc-max',
  max_tokens: 1000,
  stream: true,
  messages: [{ role: 'user', content: 'Hi' }],
};
const THINKING = { thinking: { type: 'enabled', budget_tokens: 1024 } };
const READ = { name: 'read', input_schema: { type: 'object', properties: { path: { type: 'string' } } } };
const SIGNATURE = 'Z2F0ZXdheQ==';
const USAGE = {
  prompt_tokens: 30,
  completion_tokens: 20,
  prompt_tokens_details: { cached_tokens: 10 },
  completion_tokens_details: { reasoning_tokens: 5 },
};

/** An event is named by the type of its data [S]. */
function event(data: Readonly<Record<string, unknown>> & { readonly type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

const PING = event({ type: 'ping' });

/** A message starts empty [S]; what it took is told at its end, and that of the input estimated before. */
const start = (input_tokens: number): string =>
  ': heartbeat\n\n' +
  event({
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'svc-max',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 0,
      },
    },
  });
const START = start(1);

const opened = (index: number, content_block: object): string =>
  event({ type: 'content_block_start', index, content_block });
const delta = (index: number, piece: object): string =>
  event({ type: 'content_block_delta', index, delta: piece });
const closed = (index: number): string => event({ type: 'content_block_stop', index });

/** A block is its start, its deltas and its end, and its index is its place in the message [S]. */
const textBlock = (index: number, ...pieces: string[]): string =>
  opened(index, { type: 'text', text: '' }) +
  pieces.map((text) => delta(index, { type: 'text_delta', text })).join('') +
  closed(index);

/** The signature comes right before the end of the block [T]. */
const thinkingBlock = (index: number, ...pieces: string[]): string =>
  opened(index, { type: 'thinking', thinking: '', signature: '' }) +
  pieces.map((thinking) => delta(index, { type: 'thinking_delta', thinking })).join('') +
  delta(index, { type: 'signature_delta', signature: SIGNATURE }) +
  closed(index);

/** The signature is all that the caller gets, and carries the text. */
const hiddenBlock = (index: number, text: string): string =>
  opened(index, { type: 'thinking', thinking: '', signature: '' }) +
  delta(index, { type: 'signature_delta', signature: btoa(`gateway: ${text}`) }) +
  closed(index);

/** The input starts as an empty object, and comes as pieces of JSON [S]. */
const toolBlock = (index: number, id: string, ...pieces: string[]): string =>
  opened(index, { type: 'tool_use', id, name: 'read', input: {} }) +
  pieces.map((partial_json) => delta(index, { type: 'input_json_delta', partial_json })).join('') +
  closed(index);

/** Counts are of the whole message [S]; those of the input do not include what a cache held [M]. */
const ending = (stop_reason: string): string =>
  event({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null },
    usage: {
      input_tokens: 20,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 10,
      output_tokens: 20,
      output_tokens_details: { thinking_tokens: 5 },
    },
  }) + event({ type: 'message_stop' });

const call = (id: string, ...args: string[]) => ({ id, name: 'read', arguments: args });

describe('streams of messages', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start({ RETRY_MAX_ATTEMPTS: 1, RATE_LIMIT_COOLDOWN_MS: 1 });
  });

  afterAll(() => gateway.close());

  const ask = (fields: object, plan: StubPlan) => {
    gateway.stub.answerNextWith(plan);
    return gateway.complete({ ...ASK, ...fields }, {}, '/v1/messages');
  };

  it.each<[string, object, StubPlan, string]>([
    [
      'text',
      {},
      answer({ pieces: ['Hel', 'lo "you"\n'], usage: USAGE }),
      textBlock(0, 'Hel', 'lo "you"\n') + ending('end_turn'),
    ],
    [
      'thinking, then text',
      THINKING,
      answer({ reasoning: ['Let me', ' see.'], pieces: ['Yes.'], usage: USAGE }),
      thinkingBlock(0, 'Let me', ' see.') + textBlock(1, 'Yes.') + ending('end_turn'),
    ],
    [
      // The block is there, without its text [T].
      'thinking that is not shown',
      { thinking: { type: 'adaptive', display: 'omitted' } },
      answer({ reasoning: ['Let me', ' see.'], pieces: ['Yes.'], usage: USAGE }),
      hiddenBlock(0, 'Let me see.') + textBlock(1, 'Yes.') + ending('end_turn'),
    ],
    [
      'no thinking unless asked for',
      {},
      answer({ reasoning: ['Let me see.'], pieces: ['Yes.'], usage: USAGE }),
      textBlock(0, 'Yes.') + ending('end_turn'),
    ],
    [
      'a call',
      { tools: [READ] },
      answer({
        pieces: ['I look.'],
        toolCalls: [call('c1', '{"path":"a.txt"}')],
        usage: USAGE,
      }),
      textBlock(0, 'I look.') + toolBlock(1, 'c1', '{"path":"a.txt"}') + ending('tool_use'),
    ],
    [
      'several calls',
      { tools: [READ], ...THINKING },
      answer({
        reasoning: ['Two.'],
        pieces: [],
        toolCalls: [call('c1', '{"path":"a"}'), call('c2', '{}')],
        usage: USAGE,
      }),
      thinkingBlock(0, 'Two.') +
        toolBlock(1, 'c1', '{"path":"a"}') +
        toolBlock(2, 'c2', '{}') +
        ending('tool_use'),
    ],
    [
      'an answer that the upstream cut at its limit',
      {},
      answer({ pieces: ['One two'], finishReason: 'length', usage: USAGE }),
      textBlock(0, 'One two') + ending('max_tokens'),
    ],
    ['no answer at all', {}, answer({ pieces: [], usage: USAGE }), ending('end_turn')],
  ])('%s', async (_what, fields, plan, expected) => {
    const { status, headers, text } = await ask(fields, plan);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    // The first one is that of the start, which is more for a prompt with tools.
    expect(text.replace(/"input_tokens":\d+/, '"input_tokens":1')).toBe(START + expected);
  });

  it('says at the start how long the prompt may be', async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(80) }];
    expect((await ask({ messages }, answer({ usage: USAGE }))).text.startsWith(start(100))).toBe(true);
  });

  /** Event for an answer that the gateway ends, with its own count of tokens. */
  const counted = (stop_reason: string, stop_sequence: string | null, output_tokens: number): string =>
    event({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence },
      usage: {
        input_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens,
        output_tokens_details: { thinking_tokens: 0 },
      },
    }) + event({ type: 'message_stop' });

  it('an answer cut by max_tokens', async () => {
    const { text } = await ask({ max_tokens: 3 }, answer({ pieces: 20 }));
    expect(text).toMatch(/"stop_reason":"max_tokens","stop_sequence":null\},"usage":\{.*"output_tokens":3,/);
    expect(text.startsWith(START + opened(0, { type: 'text', text: '' }))).toBe(true);
    expect(text.endsWith(event({ type: 'message_stop' }))).toBe(true);
  });

  it('an answer ended by a stop sequence, which is named [M] and kept from the upstream', async () => {
    const { text } = await ask(
      { stop_sequences: ['###', 'END'] },
      answer({ pieces: ['One', ' E', 'ND two ###'] }),
    );
    expect(text).toBe(START + textBlock(0, 'One', ' ') + counted('stop_sequence', 'END', 2));
    expect(gateway.stub.requests.at(-1)?.body).not.toHaveProperty('stop');
  });

  it('a refusal to give what a schema asks for, as text and stop reason [M]', async () => {
    const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] };
    const refusal = "I'm sorry, but I can't help with that.";
    const { text } = await ask(
      { output_config: { format: { type: 'json_schema', schema } } },
      answer({ pieces: [refusal], usage: USAGE }),
    );
    expect(text).toBe(start(49) + textBlock(0, refusal) + ending('refusal'));
  });

  it('tools of a provider are noted in the log, and kept from the model', async () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }, READ];
    const { headers } = await ask({ tools }, answer());
    expect(headers.get('x-gateway-tools-left-out')).toBe('web_search_20250305');
    expect(gateway.lastEntry?.notes).toEqual([
      'Tools that a provider would run itself were left out: web_search_20250305.',
    ]);
    expect(gateway.stub.requests.at(-1)?.body.tools).toMatchObject([{ function: { name: 'read' } }]);
  });

  it('an error after the first byte, as an event [S] with the envelope of all errors [E]', async () => {
    const { status, text } = await ask({}, resets(1));
    expect(status).toBe(200);
    const [start, rest = ''] = text.split(/(?=event: error\n)/);
    expect(start).toBe(
      START + opened(0, { type: 'text', text: '' }) + delta(0, { type: 'text_delta', text: '0 ' }),
    );
    expect(rest).toMatch(
      /^event: error\ndata: \{"type":"error","error":\{"type":"api_error","message":"[^"]+"\},"request_id":"req_1"\}\n\n$/,
    );
  });

  it.each<[string, object, StubPlan, number, string]>([
    ['a refused request', {}, failed(422, { message: 'No.' }), 400, 'invalid_request_error'],
    ['a rate limit', {}, rateLimited(), 429, 'rate_limit_error'],
    ['a bad request', { max_tokens: 'x' }, answer(), 400, 'invalid_request_error'],
  ])('%s, before the first byte, as a status [E]', async (_what, fields, plan, status, type) => {
    const answered = await ask(fields, plan);
    expect([answered.status, answered.headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    expect(JSON.parse(answered.text)).toEqual({
      type: 'error',
      error: { type, message: expect.any(String) },
      request_id: 'req_1',
    });
  });

  it('an upstream that is overloaded, and the breaker that opens over it, as 529 [E]', async () => {
    const refusing = await StubGateway.start({ RETRY_MAX_ATTEMPTS: 1 });
    const refusal = async (plan: StubPlan) => {
      refusing.stub.answerNextWith(plan);
      const { status, headers, text } = await refusing.complete(ASK, {}, '/v1/messages');
      expect([status, JSON.parse(text)]).toEqual([
        529,
        {
          type: 'error',
          error: { type: 'overloaded_error', message: expect.any(String) },
          request_id: 'req_1',
        },
      ]);
      return headers;
    };
    try {
      for (const status of [503, 529]) {
        expect((await refusal(failed(status))).get('x-gateway-reason')).toBe('upstream_overloaded');
      }
      await eventually(PATIENCE_MS, async () => {
        const headers = await refusal(failed(503));
        expect(headers.get('x-gateway-reason')).toBe('upstream_down');
        expect(headers.get('retry-after')).toMatch(/^(?:[1-9]|10)$/);
      });
      expect(refusing.stub.requests.length).toBeGreaterThanOrEqual(5);
    } finally {
      await refusing.close();
    }
  });

  it('pings in silence, but not before the message has started [S]', async () => {
    const quick = await StubGateway.start({ HEARTBEAT_AFTER_MS: 50, HEARTBEAT_INTERVAL_MS: 50 });
    const hasWaited = Promise.withResolvers<void>();
    const hasPinged = Promise.withResolvers<void>();
    try {
      quick.stub.answerWith(async (reply) => {
        await hasWaited.promise;
        await reply.event(chunk({ content: 'Yes' }));
        await hasPinged.promise;
        await answer({ pieces: ['.'], usage: USAGE })(reply);
      });
      const response = await quick.post(ASK, {}, '/v1/messages');
      const decoder = new TextDecoder();
      let text = '';
      for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
        text += decoder.decode(bytes, { stream: true });
        if (text.split(': heartbeat').length > 3) {
          hasWaited.resolve();
        }
        if (text.split(PING).length > 3) {
          hasPinged.resolve();
        }
      }
      const [before = '', after = ''] = normalised(text).split(/(?=event: message_start)/);
      expect(before).toMatch(/^(: heartbeat\n\n){3,}$/);
      expect(': heartbeat\n\n' + after.replaceAll(PING, '')).toBe(
        START + textBlock(0, 'Yes', '.') + ending('end_turn'),
      );
    } finally {
      hasWaited.resolve();
      hasPinged.resolve();
      await quick.close();
    }
  });
});
