import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed, truncated } from '../support/upstream/openai-stub-plans.js';

const USAGE = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
const saying = (text: string): ReturnType<typeof answer> =>
  answer({ pieces: [...text], reasoning: ['Hm.'], usage: USAGE });
const USER = { role: 'user', content: 'Hi' } as const;

describe('several answers to one request', () => {
  let gateway: StubGateway;
  let client: OpenAI;

  beforeAll(async () => {
    gateway = await StubGateway.start({ RETRY_MAX_ATTEMPTS: 1 });
    client = new OpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: 'none', maxRetries: 0 });
  });

  afterAll(() => gateway.close());

  it('come as choices of one body, with what all have used', async () => {
    gateway.stub.answerNextWith(saying('One.'), saying('Two.'), saying('Three.'));
    const before = gateway.stub.requests.length;
    const { choices, usage } = await client.chat.completions.create({
      model: 'svc-max',
      messages: [USER],
      n: 3,
      seed: 5,
    });
    expect(
      choices.map(({ index, message, finish_reason }) => [index, message.content, finish_reason]),
    ).toEqual([
      [0, 'One.', 'stop'],
      [1, 'Two.', 'stop'],
      [2, 'Three.', 'stop'],
    ]);
    expect(usage).toMatchObject({ prompt_tokens: 30, completion_tokens: 60, total_tokens: 90 });
    const sent = gateway.stub.requests.slice(before).map(({ body }) => [body.seed, body.n]);
    expect(sent).toEqual([
      [5, undefined],
      [6, undefined],
      [7, undefined],
    ]);
  });

  it('are logged one by one, under the id of the request', async () => {
    gateway.stub.answerNextWith(saying('One.'), saying('Two.'));
    const { response } = await client.chat.completions
      .create({ model: 'svc-max', messages: [USER], n: 2 })
      .withResponse();
    const id = response.headers.get('x-request-id')!;
    const entries = await Promise.all([id, `${id}-2`].map((one) => gateway.logs.find(one)));
    expect(entries.map((found) => found?.entry)).toEqual([
      expect.objectContaining({ operation: 'completion', outcome: 'ok', model: 'svc-max' }),
      expect.objectContaining({ operation: 'completion', outcome: 'ok', model: 'svc-max' }),
    ]);
  });

  it('count for their model in the usage', async () => {
    gateway.stub.answerNextWith(...['One.', 'Two.', 'Three.'].map(saying));
    const model = 'svc-plus';
    await client.chat.completions.create({ model, messages: [USER], n: 3 });
    const rows = await gateway.logs.usage({ fromDay: 0, toDay: 1e6 });
    const own = rows.filter((row) => row.model === model || row.model === '');
    expect(own.map((row) => [row.model, row.requests, row.promptTokens])).toEqual([[model, 3, 30]]);
  });

  it('are streamed with their indices, and end once', async () => {
    const texts = ['One.', 'Two.', 'Three.'];
    gateway.stub.answerNextWith(...texts.map(saying));
    const helper = client.chat.completions.stream({
      model: 'svc-max',
      messages: [USER],
      n: 3,
      stream_options: { include_usage: true },
    });
    const whole = await helper.finalChatCompletion();
    expect(whole.choices.map(({ message }) => message.content)).toEqual(texts);
    expect(whole.usage?.total_tokens).toBe(90);
    gateway.stub.answerNextWith(...texts.map(saying));
    const { text } = await gateway.complete({ ...ASK, n: 3, stream: true });
    expect(text.match(/^data: \[DONE\]$/gm)).toHaveLength(1);
    expect(text.match(/"delta":\{"role":"assistant"/g)).toHaveLength(3);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('fail together, with a status where nothing has been sent', async () => {
    gateway.stub.answerNextWith(saying('One.'), failed(400));
    const request = client.chat.completions.create({ model: 'svc-max', messages: [USER], n: 3 });
    await expect(request).rejects.toMatchObject({ status: 400 });
  });

  it('end with an error where a later one is cut off', async () => {
    gateway.stub.answerNextWith(saying('One.'), truncated(1));
    const before = gateway.stub.requests.length;
    const stream = await client.chat.completions.create({
      model: 'svc-max',
      messages: [USER],
      n: 3,
      stream: true,
    });
    const indices = new Set<number>();
    const read = async (): Promise<void> => {
      for await (const { choices } of stream) {
        choices.forEach(({ index }) => indices.add(index));
      }
    };
    await expect(read()).rejects.toThrow('cut its answer off');
    expect([[...indices], gateway.stub.requests.length - before]).toEqual([[0, 1], 2]);
  });

  it.each([0, 1.5, 129, '2'])('are refused as %j', async (n) => {
    const request = client.chat.completions.create({ model: 'svc-max', messages: [USER], n: n as number });
    await expect(request).rejects.toMatchObject({ status: 400, param: 'n' });
  });

  describe('of text completions', () => {
    it('are those of each prompt in its turn', async () => {
      gateway.stub.answerNextWith(...['a1', 'a2', 'b1', 'b2'].map(saying));
      const before = gateway.stub.requests.length;
      const { choices, usage } = await client.completions.create({
        model: 'svc-max',
        prompt: ['A', 'B'],
        n: 2,
        best_of: 2,
      });
      expect(choices.map(({ index, text }) => [index, text])).toEqual([
        [0, 'a1'],
        [1, 'a2'],
        [2, 'b1'],
        [3, 'b2'],
      ]);
      expect(usage?.total_tokens).toBe(120);
      const sent = gateway.stub.requests.slice(before).map(({ body }) => body.messages?.[0]?.content);
      expect(sent).toEqual(['A', 'A', 'B', 'B']);
    });

    it('are streamed with their indices', async () => {
      gateway.stub.answerNextWith(...['One.', 'Two.'].map(saying));
      const stream = await client.completions.create({ model: 'svc-max', prompt: ['A', 'B'], stream: true });
      const texts = ['', ''];
      for await (const { choices } of stream) {
        choices.forEach(({ index, text }) => (texts[index] += text));
      }
      expect(texts).toEqual(['One.', 'Two.']);
    });
  });
});
