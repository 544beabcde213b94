import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

const PATCH = '*** Begin Patch\n+x';

/** As Cursor sends it: its captured fields are in https://forum.cursor.com/t/159298 and https://forum.cursor.com/t/153019. */
const BODY = {
  model: 'svc-max',
  input: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'input_text', text: 'Patch a.' }] },
    { type: 'function_call', call_id: 'c0', name: 'read', arguments: '{"path":"a"}' },
    { type: 'function_call_output', call_id: 'c0', output: 'A' },
  ],
  tools: [
    {
      type: 'function',
      name: 'read',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
    },
    { type: 'custom', name: 'ApplyPatch', description: 'Patches.' },
  ],
  store: false,
  include: ['reasoning.encrypted_content'],
  reasoning: { effort: 'medium', summary: 'auto' },
  text: { verbosity: 'low' },
  stream_options: { include_usage: true },
};

describe('a body of the Responses format for a chat completion', () => {
  let gateway: StubGateway;
  let client: OpenAI;

  beforeAll(async () => {
    gateway = await StubGateway.start({ TOOL_MODE: 'native', RETRY_MAX_ATTEMPTS: 1 });
    client = new OpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: 'none', maxRetries: 0 });
  });

  afterAll(() => gateway.close());

  const asked = (changes: object = {}): OpenAI.ChatCompletionCreateParamsStreaming =>
    ({ ...BODY, stream: true, ...changes }) as unknown as OpenAI.ChatCompletionCreateParamsStreaming;

  it('is answered in chunks of a chat completion', async () => {
    const pieces = [JSON.stringify({ input: PATCH })];
    gateway.stub.answerNextWith(
      answer({ pieces: ['I ', 'do.'], toolCalls: [{ id: 'c1', name: 'ApplyPatch', arguments: pieces }] }),
    );
    let text = '';
    let input = '';
    let usage: unknown;
    for await (const chunk of await client.chat.completions.create(asked())) {
      expect(chunk.object).toBe('chat.completion.chunk');
      const delta = chunk.choices[0]?.delta;
      text += delta?.content ?? '';
      input += delta?.tool_calls?.[0]?.custom?.input ?? '';
      usage = chunk.usage ?? usage;
    }
    expect([text, input, usage]).toEqual([
      'I do.',
      PATCH,
      expect.objectContaining({ total_tokens: expect.any(Number) }),
    ]);
    const sent = gateway.stub.requests.at(-1)!.body as { messages: object[]; tools: object[] };
    expect(sent.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Patch a.' },
      expect.objectContaining({ role: 'assistant', tool_calls: [expect.objectContaining({ id: 'c0' })] }),
      { role: 'tool', tool_call_id: 'c0', content: 'A' },
    ]);
    expect(sent.tools).toMatchObject([{ function: { name: 'read' } }, { function: { name: 'ApplyPatch' } }]);
  });

  it('is answered as a whole, with the limit that it names', async () => {
    gateway.stub.answerNextWith(answer({ pieces: ['Hi.'] }));
    const body = asked({ input: 'Hi', stream: false, max_tokens: 77 });
    expect(await client.chat.completions.create(body)).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'Hi.' } }],
    });
    expect(gateway.stub.requests.at(-1)!.body).toMatchObject({ max_tokens: 77 });
  });

  it('heeds the fields of a chat completion beside its own', async () => {
    gateway.stub.answerNextWith(answer({ pieces: ['{"a":1}', ' END more'] }));
    const schema = { type: 'object', properties: { a: { type: 'integer' } } };
    const fields = { stop: 'END', seed: 5, reasoning_effort: 'low', presence_penalty: 1 };
    const response_format = { type: 'json_schema', json_schema: { name: 'x', schema } };
    const body = asked({ input: 'Hi', stream: false, reasoning: null, ...fields, response_format });
    const completion = (await client.chat.completions.create(body)) as unknown as OpenAI.ChatCompletion;
    expect(completion.choices[0]!.message.content).toBe('{"a":1}');
    expect(gateway.stub.requests.at(-1)!.body).toMatchObject({ ...fields, stop: ['END'], response_format });
  });

  it('prefers its own fields to those of a chat completion', async () => {
    gateway.stub.answerNextWith(answer({ pieces: ['{"a":1}'] }));
    const format = { type: 'json_object' };
    const text = { format };
    const body = asked({ stream: false, text, reasoning_effort: 'low', response_format: { type: 'text' } });
    await client.chat.completions.create(body);
    expect(gateway.stub.requests.at(-1)!.body).toMatchObject({
      reasoning_effort: 'medium',
      response_format: format,
    });
  });

  it.each([
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]'],
    [{ input: [{ role: 'nobody', content: '' }] }, 'input[0].role'],
    [{ input: 5 }, 'messages'],
  ])('refuses %j in the words of chat completions', async (changes, param) => {
    await expect(client.chat.completions.create(asked(changes))).rejects.toMatchObject({
      status: 400,
      param,
    });
  });

  it('is no such body where there are messages', async () => {
    gateway.stub.answerNextWith(answer({ pieces: ['Hi.'] }));
    const messages = [{ role: 'user', content: 'Hello?' }];
    await client.chat.completions.create(asked({ messages, stream: false }));
    expect(gateway.stub.requests.at(-1)!.body.messages).toEqual(messages);
  });
});
