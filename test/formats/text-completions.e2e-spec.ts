import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, chunk } from '../support/upstream/openai-stub-plans.js';

describe('text completions', () => {
  let gateway: StubGateway;
  let client: OpenAI;

  beforeAll(async () => {
    gateway = await StubGateway.start({ RETRY_MAX_ATTEMPTS: 1 });
    client = new OpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: 'none', maxRetries: 0 });
  });

  afterAll(() => gateway.close());

  it('are streamed as pieces of text, without what the model thought', async () => {
    gateway.stub.answerNextWith(answer({ reasoning: ['Hm.'], pieces: [' there', ' was', '. The end'] }));
    const stream = await client.completions.create({
      model: 'svc-max',
      prompt: ['Once'],
      stop: ['The'],
      stream: true,
      stream_options: { include_usage: true },
    });
    const texts: string[] = [];
    let last: OpenAI.Completion | undefined;
    for await (const completion of stream) {
      expect([completion.object, completion.choices.length]).toEqual(['text_completion', 1]);
      texts.push(completion.choices[0]!.text);
      last = completion;
    }
    expect(texts.join('')).toBe(' there was. ');
    expect([last?.choices[0]?.finish_reason, last?.usage?.total_tokens]).toEqual([
      'stop',
      expect.any(Number),
    ]);
    expect(gateway.stub.requests.at(-1)!.body).toMatchObject({
      messages: [{ role: 'user', content: 'Once' }],
      stop: ['The'],
    });
    expect(gateway.lastEntry).toMatchObject({ outcome: 'ok', model: 'svc-max' });
  });

  it('are whole by default, a refusal being text', async () => {
    gateway.stub.answerNextWith(async (reply) => {
      await reply.event(chunk({ content: 'No. ', refusal: 'I will not.' }));
      await reply.event(chunk({}, 'stop'));
      await reply.event('[DONE]');
    });
    const completion = await client.completions.create({ model: 'svc-max', prompt: 'Once', max_tokens: 9 });
    expect(completion.choices[0]).toEqual({
      text: 'No. I will not.',
      index: 0,
      logprobs: null,
      finish_reason: 'stop',
    });
  });

  it('tell of a failure in the words of the format', async () => {
    await expect(client.completions.create({ model: 'none', prompt: 'Once' })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
  });
});
