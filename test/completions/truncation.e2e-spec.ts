import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

describe('a response to a conversation that is too long', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    const models = { small: { contextWindow: 300, maxOutputTokens: 50, thinking: false } };
    gateway = await StubGateway.start({ models });
  });
  beforeEach(() => {
    gateway.stub.requests.length = 0;
    gateway.stub.answerWith(answer());
  });
  afterAll(() => gateway.close());

  const says = (content: string): object => ({ role: 'user', content });
  const ask = (truncation?: string) =>
    gateway.complete(
      {
        model: 'small',
        instructions: 'Be brief.',
        input: [says('old '.repeat(200)), says('older words '.repeat(100)), says('And now?')],
        ...(truncation && { truncation }),
      },
      {},
      '/v1/responses',
    );

  it('goes on without its oldest messages where the caller wants that, and the log says so', async () => {
    const { status, text } = await ask('auto');
    expect([status, JSON.parse(text)]).toMatchObject([200, { status: 'completed', truncation: 'auto' }]);
    expect(gateway.stub.requests.map(({ body }) => body.messages)).toEqual([
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'older words '.repeat(100) },
        { role: 'user', content: 'And now?' },
      ],
    ]);
    expect(gateway.lastEntry?.notes).toEqual([
      'The request is truncated: 1 of its oldest messages were left out, since the whole does not fit the model.',
    ]);
  });

  it.each([undefined, 'disabled'])('is refused with truncation %s', async (truncation) => {
    const { status, text } = await ask(truncation);
    expect([status, JSON.parse(text)]).toMatchObject([400, { error: { code: 'context_length_exceeded' } }]);
    expect(gateway.stub.requests).toEqual([]);
  });
});
