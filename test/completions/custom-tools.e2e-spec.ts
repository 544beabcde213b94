import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

const INPUT = '*** Begin Patch\n+x "q"';
const CALL = { id: 'call_1', type: 'custom', custom: { name: 'patch', input: INPUT } } as const;
const PATCH = { type: 'custom', custom: { name: 'patch', description: 'Patches.' } } as const;
const WEB_SEARCH = { type: 'web_search' } as unknown as OpenAI.ChatCompletionTool;

describe('custom tools of chat completions', () => {
  let gateway: StubGateway;
  let client: OpenAI;

  beforeAll(async () => {
    gateway = await StubGateway.start({ TOOL_MODE: 'native', RETRY_MAX_ATTEMPTS: 1 });
    client = new OpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: 'none', maxRetries: 0 });
  });

  afterAll(() => gateway.close());

  const request = {
    model: 'svc-max',
    messages: [{ role: 'user', content: 'Patch a.txt.' }],
    tools: [PATCH, WEB_SEARCH],
  } satisfies OpenAI.ChatCompletionCreateParams;

  beforeEach(() => {
    const json = JSON.stringify({ input: INPUT });
    const call = { id: 'call_1', name: 'patch', arguments: [json.slice(0, 15), json.slice(15)] };
    gateway.stub.answerNextWith(answer({ pieces: [], toolCalls: [call] }));
  });

  it('are called as such, and the tools of a provider are left out', async () => {
    const { data, response } = await client.chat.completions.create(request).withResponse();
    expect(data.choices[0]).toMatchObject({ message: { tool_calls: [CALL] }, finish_reason: 'tool_calls' });
    expect(response.headers.get('x-gateway-tools-left-out')).toBe('web_search');
    const { tools } = gateway.stub.requests.at(-1)!.body as { tools: object[] };
    expect(tools).toMatchObject([{ type: 'function', function: { name: 'patch', description: 'Patches.' } }]);
    expect(tools).toHaveLength(1);
  });

  it('are called as such in a stream', async () => {
    let call = {};
    let input = '';
    for await (const { choices } of await client.chat.completions.create({ ...request, stream: true })) {
      for (const { index, custom, ...rest } of choices[0]?.delta.tool_calls ?? []) {
        call = { ...call, ...rest, index, custom: { ...custom, input: (input += custom?.input ?? '') } };
      }
    }
    expect(call).toMatchObject({ ...CALL, index: 0, custom: { input: INPUT } });
  });

  it('are functions to the model in what it called before', async () => {
    await client.chat.completions.create({
      ...request,
      messages: [
        ...request.messages,
        { role: 'assistant', content: null, tool_calls: [CALL] },
        { role: 'tool', tool_call_id: 'call_1', content: 'Done.' },
      ],
    });
    const { messages } = gateway.stub.requests.at(-1)!.body as { messages: object[] };
    expect(messages.at(-2)).toMatchObject({
      tool_calls: [
        { type: 'function', function: { name: 'patch', arguments: JSON.stringify({ input: INPUT }) } },
      ],
    });
  });
});
