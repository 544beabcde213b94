import { expect, it } from '@jest/globals';
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
