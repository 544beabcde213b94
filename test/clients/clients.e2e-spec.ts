import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { streamText } from 'ai';
import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';

const SAY = 'The quick brown fox.';
const THINK = 'Foxes are quick.';
const PROMPT = `[[think:${THINK}]][[say:${SAY}]]`;

/** Unmodified clients against a chat site that is driven through the real browser. */
describe('clients of the format', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });

  afterAll(() => gateway.close());

  describe('openai', () => {
    const client = (): OpenAI => new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'none', maxRetries: 0 });

    it('streams text and reasoning, with usage on the last chunk', async () => {
      const stream = await client().chat.completions.create({
        model: 'svc-max',
        messages: [{ role: 'user', content: PROMPT }],
        stream: true,
        stream_options: { include_usage: true },
      });
      let text = '';
      let reasoning = '';
      let last: OpenAI.ChatCompletionChunk | undefined;
      for await (const chunk of stream) {
        const delta = chunk.choices[0]?.delta as { content?: string; reasoning_content?: string };
        text += delta.content ?? '';
        reasoning += delta.reasoning_content ?? '';
        last = chunk;
      }
      expect({ text, reasoning }).toEqual({ text: SAY, reasoning: THINK });
      expect(last?.choices[0]?.finish_reason).toBe('stop');
      expect(last?.usage?.completion_tokens).toBeGreaterThan(5);
      expect(last?.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(2);
    });

    it('parses an answer by its schema', async () => {
      const completion = await client().chat.completions.parse({
        model: 'svc-max',
        messages: [{ role: 'user', content: 'Who?' }],
        response_format: zodResponseFormat(z.object({ name: z.string(), age: z.number() }), 'person'),
      });
      expect(completion.choices[0]?.message.parsed).toEqual({ name: 'sandbox-sample', age: 1 });
    });

    it('answers as one JSON body', async () => {
      const completion = await client().chat.completions.create({
        model: 'svc-plus',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: PROMPT },
        ],
        stream: false,
      });
      expect(completion.choices).toEqual([
        {
          index: 0,
          message: { role: 'assistant', content: SAY, refusal: null, reasoning_content: THINK },
          logprobs: null,
          finish_reason: 'stop',
        },
      ]);
    });

    it('gets no reasoning from a -no-thinking model', async () => {
      const completion = await client().chat.completions.create({
        model: 'svc-max-no-thinking',
        messages: [{ role: 'user', content: PROMPT }],
        stream: false,
      });
      expect(completion.choices[0]?.message).toEqual({ role: 'assistant', content: SAY, refusal: null });
    });
  });

  it('works with the AI SDK', async () => {
    const provider = createOpenAICompatible({
      name: 'gateway',
      baseURL: gateway.baseUrl,
      includeUsage: true,
    });
    const result = streamText({ model: provider('svc-max'), prompt: PROMPT, maxRetries: 0 });
    let text = '';
    let reasoning = '';
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') {
        text += part.text;
      } else if (part.type === 'reasoning-delta') {
        reasoning += part.text;
      }
    }
    expect({ text, reasoning }).toEqual({ text: SAY, reasoning: THINK });
    expect(await result.finishReason).toBe('stop');
  });

  it('works with LangChain, streaming and not', async () => {
    const model = (streaming: boolean): ChatOpenAI =>
      new ChatOpenAI({
        model: 'svc-max',
        apiKey: 'none',
        streaming,
        maxRetries: 0,
        configuration: { baseURL: gateway.baseUrl },
      });
    let streamed = '';
    for await (const chunk of await model(true).stream([new HumanMessage(PROMPT)])) {
      streamed += chunk.text;
    }
    const whole = await model(false).invoke([new HumanMessage(PROMPT)], {
      // The library leaves `stream` out of its requests, which here means a stream.
      options: {},
    });
    expect({ streamed, whole: whole.text }).toEqual({ streamed: SAY, whole: SAY });
  });
});
