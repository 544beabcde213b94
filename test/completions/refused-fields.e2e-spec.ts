import { describe, expect, it } from '@jest/globals';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';

it('answers the first request to a model that refuses one field after the other', async () => {
  const gateway = await StubGateway.start();
  try {
    const refused = ['chat_template_kwargs', 'max_tokens', 'reasoning_effort', 'temperature', 'stop'];
    gateway.stub.answerWith((reply) => {
      const field = refused.find((name) => name in reply.request.body);
      const error = { message: `Unsupported parameter: '${field}' is not supported with this model.` };
      return field === undefined ? answer()(reply) : failed(400, error)(reply);
    });
    const asked = {
      ...ASK,
      model: 'svc-max-no-thinking',
      max_tokens: 9,
      temperature: 0.2,
      stop: ['END'],
    };
    expect(await gateway.complete(asked)).toMatchObject({ status: 200 });
    expect(await gateway.complete(asked)).toMatchObject({ status: 200 });
    expect(gateway.stub.requests).toHaveLength(refused.length + 2);
  } finally {
    await gateway.close();
  }
});

describe.each([
  {
    path: '/v1/chat/completions',
    status: 400,
    error: {
      message:
        "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
      type: 'invalid_request_error',
    },
    history: {
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'Hm.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'x' },
      ],
    },
  },
  {
    path: '/v1/messages',
    status: 422,
    error: {
      message: {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
            msg: 'Extra inputs are not permitted',
            input: 'Hm.',
          },
        ],
      },
      type: 'invalid_request_error',
      raw_status_code: 422,
    },
    history: {
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: '' },
            { type: 'tool_use', id: 'c1', name: 'read', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'x' }] },
      ],
    },
  },
  {
    path: '/v1/responses',
    status: 400,
    error: {
      message:
        "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
      type: 'invalid_request_error',
      param: 'validation_error',
      code: 'wrong_api_format',
    },
    history: {
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'x' },
      ],
    },
  },
])('the reasoning of earlier answers at $path', ({ path, status, error, history }) => {
  it('is left out for a model that refuses it', async () => {
    const gateway = await StubGateway.start();
    try {
      const hasReasoning = ({ body }: { body: Record<string, unknown> }): boolean =>
        (body.messages as readonly object[]).some((message) => 'reasoning_content' in message);
      gateway.stub.answerWith((reply) =>
        (hasReasoning(reply.request) ? failed(status, error) : answer())(reply),
      );
      const ask = { model: 'svc-max', stream: false, ...history };
      expect(await gateway.complete(ask, {}, path)).toMatchObject({ status: 200 });
      expect(await gateway.complete(ask, {}, path)).toMatchObject({ status: 200 });
      expect(gateway.stub.requests.map(hasReasoning)).toEqual([true, false, false]);
    } finally {
      await gateway.close();
    }
  });
});
