import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { ENDPOINTS, type ToolConversation } from '../support/wire/endpoints.js';

const ROWS = Array.from({ length: 200 }, (_, id) => ({
  id: 90_071_992_547_409_930n + BigInt(id),
  state: 'open',
}));
const RESULT = `[${ROWS.map(({ id, state }) => `{"id":${id},"state":"${state}"}`).join(',')}]`;
const SOURCE = `export const a = 1;\n`.repeat(200);

function call(id: string, name: string, json: string): object {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: json } }],
  };
}

const CONVERSATION = {
  model: 'svc-max',
  messages: [
    { role: 'user', content: 'Which tickets are open?' },
    call('c1', 'list_tickets', '{"all":true}'),
    { role: 'tool', tool_call_id: 'c1', content: RESULT },
    call('c2', 'read_file', '{"path":"src/a.ts"}'),
    { role: 'tool', tool_call_id: 'c2', content: SOURCE },
  ],
};

/** The same for any wire format. */
const SCENE: ToolConversation = {
  question: 'Which tickets are open?',
  tools: [],
  calls: [
    { id: 'c1', name: 'list_tickets', input: { all: true }, result: RESULT },
    { id: 'c2', name: 'read_file', input: { path: 'src/a.ts' }, result: SOURCE },
  ],
};

describe('tool results on their way upstream', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start({ LOG_CONTENT: 'full' });
    gateway.stub.answerWith(answer({ pieces: ['All of them.'] }));
  });

  afterAll(() => gateway.close());

  /** The two tool results in the prompt that reached the upstream. */
  async function sent(
    body: object = CONVERSATION,
    headers: Record<string, string> = {},
    path?: string,
  ): Promise<string[]> {
    expect((await gateway.complete(body, { headers }, path)).status).toBe(200);
    const { messages = [] } = gateway.stub.requests.at(-1)?.body ?? {};
    return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
  }

  it('are condensed where that loses nothing, with the same bytes in every turn', async () => {
    const [tickets = '', source] = await sent();
    expect(source).toBe(SOURCE);
    expect(tickets.length).toBeLessThan(RESULT.length / 4);
    expect(tickets).toContain('200');
    expect(tickets).toContain('90071992547409930');
    const nextTurn = {
      ...CONVERSATION,
      messages: [
        ...CONVERSATION.messages,
        { role: 'assistant', content: 'All.' },
        { role: 'user', content: 'Sure?' },
      ],
    };
    expect(await sent(nextTurn)).toEqual([tickets, SOURCE]);
    expect(gateway.lastEntry?.condensed).toEqual([
      {
        message: 2,
        tool: 'list_tickets',
        rules: [expect.any(String)],
        before: RESULT.length,
        after: tickets.length,
        content: { before: RESULT, after: tickets },
      },
    ]);
  });

  it.each(ENDPOINTS)('are condensed alike at %s, source left alone', async (path, endpoint) => {
    const [tickets] = await sent();
    const body = endpoint.conversation(SCENE);
    expect(await sent(body, {}, path)).toEqual([tickets, SOURCE]);
    expect(gateway.lastEntry?.condensed).toMatchObject([
      { tool: 'list_tickets', content: { before: RESULT, after: tickets } },
    ]);
    expect(await sent(body, { 'x-gateway-compression': 'off' }, path)).toEqual([RESULT, SOURCE]);
    gateway.settings.TOOL_MODE = 'emulated';
    await gateway.complete(body, {}, path);
    gateway.settings.TOOL_MODE = undefined;
    const prompt = gateway.stub.requests
      .at(-1)
      ?.body.messages?.map(({ content }) => content)
      .join('\n');
    expect(prompt).toContain(tickets);
    expect(prompt).toContain(SOURCE);
  });

  it('stay as they are where the caller wants them so', async () => {
    expect(await sent(CONVERSATION, { 'x-gateway-compression': 'off' })).toEqual([RESULT, SOURCE]);
    expect(gateway.lastEntry).not.toHaveProperty('condensed');
    const refused = await gateway.complete(CONVERSATION, { headers: { 'x-gateway-compression': 'maybe' } });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      400,
      { error: { code: 'invalid_request', param: 'x-gateway-compression' } },
    ]);
  });

  it('stay as they are where the operator wants them so, at once', async () => {
    gateway.settings.TOOL_COMPRESSION = false;
    expect(await sent()).toEqual([RESULT, SOURCE]);
    gateway.settings.TOOL_COMPRESSION = true;
    expect((await sent())[0]).not.toBe(RESULT);
  });
});
