import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';

/* Agents send system messages between the others; many chat templates take one, ahead of all. */

interface SentMessage {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
}

let gateway: StubGateway;

beforeEach(async () => {
  gateway = await StubGateway.start();
});

afterEach(async () => {
  await gateway.close();
});

const sentMessages = (): SentMessage[][] =>
  gateway.stub.requests.map(({ body }) => body.messages as SentMessage[]);

/** Answers as Ollama does for a template of Qwen 3.5. */
const beAsStrictAsQwen = (): void =>
  gateway.stub.answerWith((reply) => {
    const messages = reply.request.body.messages as SentMessage[];
    const isLate = messages.some(({ role }, index) => role === 'system' && index > 0);
    const error = { message: 'System message must be at the beginning.', type: 'api_error' };
    return isLate ? failed(500, error)(reply) : answer()(reply);
  });

it('answers an agent whose system messages the template of the model refuses', async () => {
  beAsStrictAsQwen();
  const ask = {
    model: 'svc-max',
    max_tokens: 100,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'It is late.' },
    ],
  };
  expect(await gateway.complete(ask, {}, '/v1/messages')).toMatchObject({ status: 200 });
  expect(await gateway.complete(ask, {}, '/v1/messages')).toMatchObject({ status: 200 });
  const inOrder = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi\n\nIt is late.' },
  ];
  expect(sentMessages().slice(1)).toEqual([inOrder, inOrder]);
});

it('sends the instructions and the messages of a developer as one system message', async () => {
  beAsStrictAsQwen();
  const input = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'In a sandbox.' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
  ];
  const ask = { model: 'svc-max', stream: false, instructions: 'Be brief.', input };
  expect(await gateway.complete(ask, {}, '/v1/responses')).toMatchObject({ status: 200 });
  expect(sentMessages()).toEqual([
    [
      { role: 'system', content: 'Be brief.\n\nIn a sandbox.' },
      { role: 'user', content: 'Hi' },
    ],
  ]);
});

it('refuses a request for which no other order is left, without another try', async () => {
  gateway.stub.answerWith(failed(500, { message: 'Conversation roles must alternate user/assistant' }));
  expect(await gateway.complete(ASK)).toMatchObject({ status: 400 });
  expect(gateway.stub.requests).toHaveLength(1);
});

it('gives reasoning back under the name that the upstream has for it', async () => {
  gateway.stub.answerWith(answer({ reasoning: ['Hm.'], reasoningField: 'reasoning' }));
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Ho', reasoning_content: 'Hm.' },
    { role: 'user', content: 'And?' },
  ];
  const ask = { model: 'svc-max', stream: false, messages };
  expect(await gateway.complete(ask)).toMatchObject({ status: 200 });
  expect(await gateway.complete(ask)).toMatchObject({ status: 200 });
  expect(sentMessages().map((sent) => sent[1])).toEqual([
    { role: 'assistant', content: 'Ho', reasoning_content: 'Hm.' },
    { role: 'assistant', content: 'Ho', reasoning: 'Hm.' },
  ]);
});

it('gives earlier answers a blank reasoning for a model that misses it', async () => {
  const message = 'The `reasoning_content` in the thinking mode must be passed back to the API.';
  gateway.stub.answerWith((reply) => {
    const messages = reply.request.body.messages as readonly object[];
    const isWhole = messages.every((sent) => !('tool_calls' in sent) || 'reasoning_content' in sent);
    return isWhole ? answer()(reply) : failed(400, { message, type: 'invalid_request_error' })(reply);
  });
  const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } };
  const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'x' },
  ];
  const ask = { model: 'svc-max', stream: false, messages, tools };
  expect(await gateway.complete(ask)).toMatchObject({ status: 200 });
  expect(await gateway.complete(ask)).toMatchObject({ status: 200 });
  const blanks = sentMessages().map((sent) => (sent[1] as { reasoning_content?: string }).reasoning_content);
  expect(blanks).toEqual([undefined, ' ', ' ']);
});

it.each([
  [
    '/v1/chat/completions',
    {
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ping', arguments: '' } }],
        },
      ],
    },
  ],
  [
    '/v1/responses',
    {
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'function_call', call_id: 'c1', name: 'ping', arguments: '' },
      ],
    },
  ],
])('gives earlier calls at %s arguments that can be read', async (path, conversation) => {
  gateway.stub.answerWith((reply) => {
    const { tool_calls: calls } = (reply.request.body.messages as SentMessage[])[1]!;
    const canRead = calls?.every(({ function: { arguments: json } }) => json === '{}');
    const message = 'Expecting value: line 1 column 1 (char 0)';
    return canRead ? answer()(reply) : failed(400, { message, type: 'BadRequestError' })(reply);
  });
  expect(
    await gateway.complete({ model: 'svc-max', stream: false, ...conversation }, {}, path),
  ).toMatchObject({
    status: 200,
  });
});
