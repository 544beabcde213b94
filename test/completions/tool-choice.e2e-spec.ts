import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, failed } from '../support/upstream/openai-stub-plans.js';

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };
const ARGUMENTS = '{"city":"Rome"}';
const user = { role: 'user', content: 'Hi' };

interface Endpoint {
  readonly path: string;
  /** A request that offers the tools `weather` and `clock`. */
  readonly body: object;
  /** The choices of the model's own, of any tool, of `weather`, and of none. */
  readonly auto: unknown;
  readonly any: unknown;
  readonly named: unknown;
  readonly none: unknown;
}

const chatTool = (name: string): object => ({ type: 'function', function: { name, parameters: SCHEMA } });
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  chat: {
    path: '/v1/chat/completions',
    body: { messages: [user], tools: ['weather', 'clock'].map(chatTool) },
    auto: 'auto',
    any: 'required',
    named: { type: 'function', function: { name: 'weather' } },
    none: 'none',
  },
  messages: {
    path: '/v1/messages',
    body: {
      messages: [user],
      max_tokens: 100,
      tools: ['weather', 'clock'].map((name) => ({ name, input_schema: SCHEMA })),
    },
    auto: { type: 'auto' },
    any: { type: 'any' },
    named: { type: 'tool', name: 'weather' },
    none: { type: 'none' },
  },
  responses: {
    path: '/v1/responses',
    body: {
      input: 'Hi',
      tools: ['weather', 'clock'].map((name) => ({ type: 'function', name, parameters: SCHEMA })),
    },
    auto: 'auto',
    any: 'required',
    named: { type: 'function', name: 'weather' },
    none: 'none',
  },
};

const says = (text: string): StubPlan => answer({ pieces: [text] });
const calls = (...names: string[]): StubPlan =>
  answer({
    pieces: ['I look.'],
    toolCalls: names.map((name, index) => ({ id: `id_${index}`, name, arguments: [ARGUMENTS] })),
  });

/** `tool_choice` over an upstream that takes it and does as it likes. */
describe.each(Object.entries(ENDPOINTS))('tool_choice of %s with native tools', (_name, endpoint) => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start({ TOOL_MODE: 'native', RETRY_MAX_ATTEMPTS: 1 });
  });

  afterAll(() => gateway.close());

  async function ask(
    choice: unknown,
    fields: object,
    ...answers: StubPlan[]
  ): Promise<{ status: number; text: string }> {
    const before = gateway.stub.requests.length;
    gateway.stub.answerNextWith(...answers);
    const body = { model: 'svc-max', ...endpoint.body, tool_choice: choice, ...fields };
    const { status, text } = await gateway.complete(body, {}, endpoint.path);
    expect(gateway.stub.requests.slice(before)).toHaveLength(answers.length);
    return { status, text };
  }

  const lastPrompt = (): string => gateway.stub.requests.at(-1)!.body.messages!.at(-1)!.content;

  describe.each([true, false])('streamed: %s', (stream) => {
    it('asks once more for a call that is missing', async () => {
      const { status, text } = await ask(endpoint.any, { stream }, says('No.'), calls('clock'));
      expect(status).toBe(200);
      expect(text).toContain('clock');
      expect(text).not.toContain('No.');
      expect(lastPrompt()).toContain('does not call a tool, which it must');
      expect(gateway.lastEntry?.corrections).toMatchObject([{ cause: 'tool_call' }]);
    });

    it('takes no other tool for the named one', async () => {
      const { status, text } = await ask(
        endpoint.named,
        { stream },
        calls('clock'),
        calls('clock', 'weather'),
      );
      expect(status).toBe(200);
      expect(text).toContain('id_1');
      expect(text).not.toContain('id_0');
      expect(lastPrompt()).toContain('does not call the tool weather, which it must');
    });

    it('asks once more where nothing comes', async () => {
      const nothing = answer({ reasoning: ['Hm.'], pieces: [] });
      const { status, text } = await ask(endpoint.auto, { stream }, nothing, calls('clock'));
      expect(status).toBe(200);
      expect(text).toContain('clock');
      expect(lastPrompt()).toContain('Your last message was empty.');
      expect((await ask(endpoint.auto, { stream }, nothing, nothing)).status).toBe(200);
      expect(gateway.lastEntry?.corrections).toMatchObject([{ action: 'regenerated' }, { action: 'passed' }]);
    });

    it('fails without a demanded call', async () => {
      expect((await ask(endpoint.any, { stream }, says('No.'), says('No!'))).status).toBe(500);
    });

    it('gives text where no call is allowed', async () => {
      const { status, text } = await ask(endpoint.none, { stream }, calls('clock'));
      expect(status).toBe(200);
      expect(text).toContain('I look.');
      expect(text).not.toContain('id_0');
      const only = answer({ pieces: [], toolCalls: [{ id: 'id_0', name: 'clock', arguments: ['{}'] }] });
      expect((await ask(endpoint.none, { stream }, only, says('Noon.'))).text).toContain('Noon.');
      expect(lastPrompt()).toContain('in plain text');
    });
  });

  it('holds over an upstream that refuses to be told', async () => {
    const refusal = { message: 'Thinking mode does not support this tool_choice' };
    const { status } = await ask(endpoint.named, {}, failed(400, refusal), calls('weather'));
    expect(status).toBe(200);
    expect(gateway.stub.requests.slice(-2).map(({ body }) => 'tool_choice' in body)).toEqual([true, false]);
  });
});
