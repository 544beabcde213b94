import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, chunk, jsonAnswer } from '../support/upstream/openai-stub-plans.js';
import { type Endpoint, ENDPOINTS } from '../support/wire/endpoints.js';

const Person = z.object({ name: z.string(), age: z.number().int(), nicknames: z.array(z.string()) });
const ANN = { name: 'Ann', age: 4, nicknames: ['A', 'Nan'] };
const FENCED = `Here it is:\n\`\`\`json\n${JSON.stringify(ANN, null, 2)}\n\`\`\`\n`;
const SORRY = "I'm sorry, I can't help with that.";

const PERSON = z.toJSONSchema(Person);

const question = (endpoint: Endpoint): object =>
  endpoint.conversation({ question: 'Who?', tools: [], calls: [] });

/** Refusal of the model in each format. */
function refusalAt(path: string, text: string): object | undefined {
  const refusals: Readonly<Record<string, object>> = {
    '/v1/chat/completions': {
      choices: [{ message: { content: null, refusal: text }, finish_reason: 'stop' }],
    },
    '/v1/messages': { content: [{ type: 'text', text }], stop_reason: 'refusal' },
    '/v1/responses': { status: 'completed', output: [{ content: [{ type: 'refusal', refusal: text }] }] },
  };
  return refusals[path];
}

/** A refusal that no phrase tells, in the field of its own that some upstreams have. */
const NEIN = 'Dabei helfe ich nicht.';
const refusesInPieces: StubPlan = async (reply) => {
  await reply.event(chunk({ role: 'assistant', content: '', refusal: null }));
  await reply.event(chunk({ refusal: 'Dabei ' }));
  await reply.event(chunk({ refusal: 'helfe ich nicht.' }));
  await reply.event(chunk({}, 'stop'));
  await reply.event('[DONE]');
  reply.end();
};

/** The envelope of a failure of the gateway's own. */
function withError(path: string, message: unknown): object {
  return path === '/v1/messages'
    ? { type: 'error', error: { type: 'api_error', message } }
    : { error: { code: path === '/v1/responses' ? 'server_error' : 'internal_error', message } };
}

/** One answer after the other, the last one again and again. */
function inTurn(...texts: readonly string[]): StubPlan {
  const left = [...texts];
  return (reply) => answer({ pieces: [...(left.length > 1 ? left.shift()! : left[0]!)] })(reply);
}

describe.each([
  ['that knows response formats', {}],
  ['that knows only text', { TOOL_MODE: 'emulated' }],
] as const)('structured outputs over an upstream %s', (_what, settings) => {
  let gateway: StubGateway;
  let client: OpenAI;

  beforeAll(async () => {
    gateway = await StubGateway.start(settings);
    client = new OpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: 'none', maxRetries: 0 });
  });

  afterAll(() => gateway.close());

  const ask = {
    model: 'svc-max',
    messages: [{ role: 'user' as const, content: 'Who?' }],
    response_format: zodResponseFormat(Person, 'person'),
  };

  it('are parsed by the SDK from a fence in prose', async () => {
    gateway.stub.answerWith(inTurn(FENCED));
    const { choices } = await client.chat.completions.parse({ ...ask, stream: false });
    expect(choices[0]?.message.parsed).toEqual(ANN);
    expect(choices[0]?.finish_reason).toBe('stop');
  });

  it('are streamed by the SDK, member by member', async () => {
    gateway.stub.answerWith(inTurn(JSON.stringify(ANN)));
    const stream = client.chat.completions.stream(ask);
    const pieces: string[] = [];
    stream.on('content.delta', ({ delta }) => pieces.push(delta));
    expect((await stream.finalChatCompletion()).choices[0]?.message.parsed).toEqual(ANN);
    expect(pieces).toEqual(['{"name":"Ann"', ',"age":4', ',"nicknames":["A","Nan"]', '}']);
  });

  it('are a refusal where the model plainly refuses', async () => {
    gateway.stub.answerWith(inTurn(SORRY));
    const { choices } = await client.chat.completions.parse({ ...ask, stream: false });
    expect(choices[0]?.message).toMatchObject({ content: null, refusal: SORRY, parsed: null });
    const streamed = await client.chat.completions.stream(ask).finalChatCompletion();
    expect(streamed.choices[0]?.message).toMatchObject({ refusal: SORRY });
  });

  it('are a refusal to the SDK where the upstream tells it as such', async () => {
    gateway.stub.answerWith(refusesInPieces);
    const stream = client.chat.completions.stream(ask);
    const pieces: string[] = [];
    stream.on('refusal.delta', ({ delta }) => pieces.push(delta));
    expect((await stream.finalChatCompletion()).choices[0]?.message).toMatchObject({ refusal: NEIN });
    expect(pieces).toEqual(['Dabei ', 'helfe ich nicht.']);
  });

  describe.each(ENDPOINTS)('at %s', (path, endpoint) => {
    const send = async (fields: object, ...texts: readonly string[]) => {
      gateway.stub.answerWith(inTurn(...texts));
      gateway.stub.requests.length = 0;
      return gateway.complete({ ...question(endpoint), ...fields }, {}, path);
    };
    const strict = { ...endpoint.jsonSchema(PERSON, true) };
    const lenient = endpoint.jsonSchema(PERSON, false);
    const correction = () => JSON.stringify(gateway.stub.requests[1]?.body);

    it.each([true, false])('are asked for again with the path and the reason (stream %s)', async (stream) => {
      const answered = await send({ ...strict, stream }, '{"name":"Ann","age":"young"}', FENCED);
      const said = stream ? endpoint.streamedText(answered.text) : endpoint.text(answered.text);
      expect([answered.status, JSON.parse(said)]).toEqual([200, ANN]);
      expect(gateway.stub.requests).toHaveLength(2);
      expect(correction()).toContain('age: Instance type \\"string\\" is invalid. Expected \\"integer\\".');
      expect(gateway.lastEntry).toMatchObject({
        outcome: 'ok',
        corrections: [{ cause: 'structured_output', action: 'regenerated' }],
      });
    });

    it('fail with 500 after two answers that do not conform to a strict schema', async () => {
      const { status, text } = await send({ ...strict, stream: false }, 'no', 'no');
      expect(status).toBe(500);
      expect(JSON.parse(text)).toMatchObject(
        withError(path, expect.stringContaining('The answer holds no JSON value.')),
      );
      expect(gateway.stub.requests).toHaveLength(2);
    });

    it('are a refusal where the model plainly refuses', async () => {
      const { status, text } = await send({ ...strict, stream: false }, SORRY);
      expect([status, JSON.parse(text)]).toMatchObject([200, refusalAt(path, SORRY)]);
      expect(gateway.stub.requests).toHaveLength(1);
    });

    it.each([
      ['in pieces', refusesInPieces, strict],
      ['in one body', jsonAnswer({ content: null, refusal: NEIN }), strict],
      ['of plain text', refusesInPieces, {}],
    ])('are the refusal that the upstream tells as such: %s', async (_what, plan, format) => {
      gateway.stub.answerWith(plan);
      gateway.stub.requests.length = 0;
      const asked = { ...question(endpoint), ...format, stream: false };
      const { status, text } = await gateway.complete(asked, {}, path);
      expect([status, JSON.parse(text)]).toMatchObject([200, refusalAt(path, NEIN)]);
      const streamed = await gateway.complete({ ...asked, stream: true }, {}, path);
      expect(streamed.text).toContain('Dabei ');
      expect(gateway.stub.requests).toHaveLength(2);
      expect(gateway.lastEntry).toMatchObject({ outcome: 'ok', content: { answer: NEIN } });
    });

    if (lenient) {
      it('are text after two answers where the schema is not strict', async () => {
        const { status, text } = await send({ ...lenient, stream: false }, 'Well.', 'Well, no.');
        expect([status, endpoint.text(text)]).toEqual([200, 'Well, no.']);
        expect(gateway.stub.requests).toHaveLength(2);
      });
    }

    if (endpoint.jsonObject) {
      it('are any object for json_object, and text where there is none', async () => {
        const format = { ...endpoint.jsonObject, stream: false };
        const object = await send(format, '```json\n{"a": [1, 2,]}\n```');
        expect(endpoint.text(object.text)).toBe('{"a":[1,2]}');
        expect(endpoint.text((await send(format, 'Well.', 'Well, no.')).text)).toBe('Well, no.');
      });
    }
  });

  it('are known at /v1/messages by their former name', async () => {
    gateway.stub.answerWith(inTurn(FENCED));
    const format = { output_format: { type: 'json_schema', schema: PERSON } };
    const { text } = await gateway.complete({ ...question(ENDPOINTS[1][1]), ...format }, {}, ENDPOINTS[1][0]);
    expect(JSON.parse(ENDPOINTS[1][1].text(text))).toEqual(ANN);
  });

  it.each([
    [0, 'response_format.json_schema.schema'],
    [1, 'output_config.format.schema'],
    [2, 'text.format.schema'],
  ])('need a schema that can be evaluated (endpoint %d)', async (at, field) => {
    const [path, endpoint] = ENDPOINTS[at]!;
    const format = endpoint.jsonSchema({ $ref: '#/$defs/none' }, true);
    const { status, text } = await gateway.complete({ ...question(endpoint), ...format }, {}, path);
    const error = {
      message: `${field} refers to "#/$defs/none", which it does not define.`,
      type: 'invalid_request_error',
    };
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      path === '/v1/messages'
        ? { type: 'error', error }
        : { error: { ...error, code: 'invalid_request', param: field } },
    ]);
  });
});
