import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

const Person = z.object({ name: z.string(), age: z.number().int(), nicknames: z.array(z.string()) });
const ANN = { name: 'Ann', age: 4, nicknames: ['A', 'Nan'] };
const FENCED = `Here it is:\n\`\`\`json\n${JSON.stringify(ANN, null, 2)}\n\`\`\`\n`;
const SORRY = "I'm sorry, I can't help with that.";

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

  it('are asked for again with the path and the reason', async () => {
    const before = gateway.stub.requests.length;
    gateway.stub.answerWith(inTurn('{"name":"Ann","age":"young"}', FENCED));
    const { choices } = await client.chat.completions.parse({ ...ask, stream: false });
    expect(choices[0]?.message.parsed).toEqual(ANN);
    expect(gateway.stub.requests).toHaveLength(before + 2);
    expect(JSON.stringify(gateway.stub.requests.at(-1)?.body)).toContain(
      'age: Instance type \\"string\\" is invalid. Expected \\"integer\\".',
    );
    expect(gateway.lastEntry).toMatchObject({
      outcome: 'ok',
      corrections: [{ cause: 'structured_output', action: 'regenerated' }],
    });
  });

  it('fail with 500 after two answers that do not conform to a strict schema', async () => {
    gateway.stub.answerWith(inTurn('no', 'no'));
    await expect(client.chat.completions.parse({ ...ask, stream: false })).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining('The answer holds no JSON value.'),
    });
  });

  it('are a refusal where the model plainly refuses', async () => {
    gateway.stub.answerWith(inTurn(SORRY));
    const { choices } = await client.chat.completions.parse({ ...ask, stream: false });
    expect(choices[0]?.message).toMatchObject({ content: null, refusal: SORRY, parsed: null });
    const streamed = await client.chat.completions.stream(ask).finalChatCompletion();
    expect(streamed.choices[0]?.message).toMatchObject({ refusal: SORRY });
  });

  it('are any object for json_object, and text where there is none', async () => {
    const format = { ...ASK, stream: false, response_format: { type: 'json_object' } };
    gateway.stub.answerWith(inTurn('```json\n{"a": [1, 2,]}\n```'));
    const said = (text: string): unknown =>
      (JSON.parse(text) as OpenAI.ChatCompletion).choices[0]?.message.content;
    expect(said((await gateway.complete(format)).text)).toBe('{"a":[1,2]}');
    gateway.stub.answerWith(inTurn('Well.', 'Well, no.'));
    expect(said((await gateway.complete(format)).text)).toBe('Well, no.');
  });

  it('need a schema that can be evaluated', async () => {
    const json_schema = { name: 'x', schema: { $ref: '#/$defs/none' } };
    const refused = await gateway.complete({ ...ASK, response_format: { type: 'json_schema', json_schema } });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      400,
      {
        error: {
          message: 'response_format.json_schema.schema refers to "#/$defs/none", which it does not define.',
          type: 'invalid_request_error',
          code: 'invalid_request',
          param: 'response_format.json_schema.schema',
        },
      },
    ]);
  });
});
