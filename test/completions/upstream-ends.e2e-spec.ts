import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

describe('an answer that the upstream ends in its own way', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start();
  });
  beforeEach(() => {
    gateway.stub.requests.length = 0;
  });
  afterAll(() => gateway.close());

  const ENDPOINTS: [path: string, body: object, whole: object, event: string][] = [
    [
      '/v1/chat/completions',
      ASK,
      { choices: [{ message: { content: 'Hello there' }, finish_reason: 'content_filter' }] },
      '"finish_reason":"content_filter"',
    ],
    [
      '/v1/messages',
      { ...ASK, max_tokens: 9 },
      { content: [{ type: 'text', text: 'Hello there' }], stop_reason: 'refusal' },
      '"stop_reason":"refusal"',
    ],
    [
      '/v1/responses',
      { model: ASK.model, input: 'Hi' },
      { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      'event: response.incomplete\n',
    ],
  ];

  it.each(ENDPOINTS)('by a filter, at %s', async (path, body, whole, event) => {
    gateway.stub.answerWith(answer({ finishReason: 'content_filter' }));
    const { status, text } = await gateway.complete({ ...body, stream: false }, {}, path);
    expect([status, JSON.parse(text)]).toMatchObject([200, whole]);
    const streamed = await gateway.complete({ ...body, stream: true }, {}, path);
    expect([streamed.isWhole, streamed.text.includes(event)]).toEqual([true, true]);
    expect(gateway.lastEntry).toMatchObject({ outcome: 'ok', finishReason: 'content_filter' });
    expect(gateway.stub.requests).toHaveLength(2);
  });

  it('without a reason is a whole answer, with a note in the log', async () => {
    gateway.stub.answerWith(answer({ finishReason: null }));
    const { text } = await gateway.complete({ ...ASK, stream: false });
    expect(JSON.parse(text)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(gateway.lastEntry).toMatchObject({
      outcome: 'ok',
      notes: ['The upstream ended its answer without a finish reason, so that a part of it may be missing.'],
    });
  });

  it('reaches the model with the allowed tools alone', async () => {
    gateway.stub.answerWith(answer());
    const tools = ['read', 'write'].map((name) => ({ type: 'function', function: { name } }));
    const choice = { mode: 'required', tools: [{ type: 'function', function: { name: 'write' } }] };
    const asked = { ...ASK, tools, tool_choice: { type: 'allowed_tools', allowed_tools: choice } };
    await gateway.complete({ ...asked, stream: false });
    expect(gateway.stub.requests[0]?.body).toMatchObject({ tools: [tools[1]], tool_choice: 'required' });
  });
});
