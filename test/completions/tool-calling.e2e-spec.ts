import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answered, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, resets } from '../support/upstream/openai-stub-plans.js';

const WRITE = {
  type: 'function',
  function: {
    name: 'write_file',
    description: 'Writes a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' }, mode: { type: 'integer' } },
      required: ['path', 'content'],
    },
  },
};
const READ = {
  type: 'function',
  function: { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
};
const ASK_TOOLS = {
  model: 'svc-max-no-thinking',
  messages: [{ role: 'user', content: 'Write hello.txt.' }],
  tools: [WRITE, READ],
};
const CALL =
  '<tool_call>\n<function=write_file>\n<parameter=path>hello.txt</parameter>\n' +
  '<parameter=content>a "b"\n\tc</parameter>\n<parameter=mode>420</parameter>\n</function>\n</tool_call>';
const ARGUMENTS = '{"path":"hello.txt","content":"a \\"b\\"\\n\\tc","mode":420}';

/** Nobody can say which argument is which. */
const BROKEN = '<tool_call>\n{"name": "write_file", "arguments": ["hello.txt", "a"]}\n</tool_call>';

interface Chunk {
  readonly choices: readonly [
    {
      readonly delta: {
        readonly content?: string;
        readonly tool_calls?: readonly [
          {
            readonly index: number;
            readonly id?: string;
            readonly function: { readonly name?: string; readonly arguments: string };
          },
        ];
      };
      readonly finish_reason: string | null;
    },
  ];
}

interface Body {
  readonly choices: readonly [
    {
      readonly message: { readonly content: string | null; readonly tool_calls?: readonly object[] };
      readonly finish_reason: string;
    },
  ];
}

/** A stream as a client reads it. */
function assembled({ text }: Answered): object {
  const chunks = text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as Chunk);
  const calls: { id: string; name: string; arguments: string }[] = [];
  let content = '';
  for (const { choices } of chunks) {
    const { delta } = choices[0];
    content += delta.content ?? '';
    for (const { index, id, function: piece } of delta.tool_calls ?? []) {
      const call = (calls[index] ??= { id: id ?? '', name: piece.name ?? '', arguments: '' });
      call.arguments += piece.arguments;
    }
  }
  return { content, calls, reason: chunks.at(-1)?.choices[0].finish_reason };
}

/** The same of a JSON answer. */
function unpacked({ text }: Answered): object {
  const { message, finish_reason: reason } = (JSON.parse(text) as Body).choices[0];
  const calls = (message.tool_calls ?? []).map((call) => {
    const { id, function: named } = call as { id: string; function: { name: string; arguments: string } };
    return { id, ...named };
  });
  return { content: message.content ?? '', calls, reason };
}

const calledOnce = {
  content: '',
  calls: [{ id: expect.stringMatching(/^call_[0-9a-f]{32}$/), name: 'write_file', arguments: ARGUMENTS }],
  reason: 'tool_calls',
};

/** Tool calls of an upstream that knows only text, over HTTP. */
describe('tool calling over a text-only upstream', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await StubGateway.start({ TOOL_MODE: 'emulated', ECHO_ACTION: 'off' });
  });

  beforeEach(() => {
    gateway.stub.requests.length = 0;
  });

  afterAll(() => gateway.close());

  const says = (...answers: string[]): void => {
    gateway.stub.answerNextWith(...answers.map((text) => answer({ pieces: [...text] })));
  };

  /** The messages of the latest prompts, first to last. */
  const prompts = (): readonly { role: string; content: string }[][] =>
    gateway.stub.requests.map(
      ({ body }) => (body as { messages: { role: string; content: string }[] }).messages,
    );

  it('gives a call as a call, streamed and not', async () => {
    says(CALL, CALL);
    expect(assembled(await gateway.complete(ASK_TOOLS))).toEqual(calledOnce);
    const json = await gateway.complete({ ...ASK_TOOLS, stream: false });
    expect(unpacked(json)).toEqual(calledOnce);
    expect((JSON.parse(json.text) as Body).choices[0].message.content).toBeNull();
  });

  it('holds what completes a call until the answer is complete', async () => {
    gateway.stub.answerNextWith(
      answer({ pieces: [CALL.slice(0, -20), CALL.slice(-20)], finishReason: null, done: false }),
    );
    const { text } = await gateway.complete(ASK_TOOLS);
    expect(text).toContain('"name":"write_file"');
    expect(text).toContain('"error":{');
    expect(text).not.toContain('420');
    expect(text).not.toContain('[DONE]');
  });

  it('tells the upstream of the tools, of the form, and of past calls and results', async () => {
    says('Done.');
    await gateway.complete({
      ...ASK_TOOLS,
      messages: [
        ...ASK_TOOLS.messages,
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'write_file', arguments: ARGUMENTS } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'Written.' },
      ],
    });
    const [messages = []] = prompts();
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[0]?.content).toContain('"name":"write_file"');
    expect(messages[2]?.content).toBe(CALL);
    expect(messages[3]?.content).toContain('<tool_response name="write_file">\nWritten.\n</tool_response>');
  });

  it('asks again for a call that cannot be read, before anything is sent', async () => {
    says(BROKEN, CALL);
    expect(assembled(await gateway.complete(ASK_TOOLS))).toEqual(calledOnce);
    expect(gateway.stub.requests).toHaveLength(2);
    const last = prompts()[1]?.at(-1);
    expect(last).toMatchObject({ role: 'user', content: expect.stringContaining('cannot be read') });
    expect(gateway.lastEntry).toMatchObject({
      outcome: 'ok',
      corrections: [{ cause: 'tool_call', action: 'regenerated' }],
      toolCalls: [{ name: 'write_file', repairs: [] }],
    });
  });

  it('gives the words as text if the second answer is no better, unless a call is demanded', async () => {
    says(BROKEN, BROKEN, 'No.', 'Still no.');
    expect(assembled(await gateway.complete(ASK_TOOLS))).toEqual({
      content: BROKEN,
      calls: [],
      reason: 'stop',
    });
    const demanded = await gateway.complete({ ...ASK_TOOLS, tool_choice: 'required' });
    expect([demanded.status, JSON.parse(demanded.text)]).toEqual([
      500,
      { error: expect.objectContaining({ code: 'internal_error', type: 'server_error' }) },
    ]);
    expect(gateway.lastEntry).toMatchObject({
      outcome: 'upstream_error',
      status: 500,
      corrections: [
        { cause: 'tool_call', action: 'regenerated' },
        { cause: 'tool_call', action: 'failed' },
      ],
    });
  });

  it('keeps to the tool that is named, and to one call', async () => {
    const read = CALL.replace('write_file', 'read_file').replace(
      /\n<parameter=(content|mode)>[^]*?<\/parameter>/g,
      '',
    );
    says(read, CALL, `${CALL}\n${read}`);
    const named = { type: 'function', function: { name: 'write_file' } };
    expect(assembled(await gateway.complete({ ...ASK_TOOLS, tool_choice: named }))).toEqual(calledOnce);
    expect(assembled(await gateway.complete({ ...ASK_TOOLS, parallel_tool_calls: false }))).toEqual(
      calledOnce,
    );
  });

  it('tells the model of the allowed tools alone', async () => {
    const allowed = { mode: 'auto', tools: [{ type: 'function', function: { name: 'write_file' } }] };
    says(CALL);
    const asked = { ...ASK_TOOLS, tool_choice: { type: 'allowed_tools', allowed_tools: allowed } };
    expect(assembled(await gateway.complete(asked))).toEqual(calledOnce);
    expect(JSON.stringify(prompts()[0])).toContain('write_file');
    expect(JSON.stringify(prompts()[0])).not.toContain('read_file');
    expect(gateway.stub.requests[0]?.body).not.toHaveProperty('tools');
  });

  it('offers nothing and reads nothing with tool_choice none', async () => {
    says(CALL);
    const body = { ...ASK_TOOLS, tool_choice: 'none' };
    expect(assembled(await gateway.complete(body))).toEqual({ content: CALL, calls: [], reason: 'stop' });
    expect(JSON.stringify(prompts()[0])).not.toContain('Writes a file');
  });

  it('retries as ever where the upstream fails before it answers', async () => {
    gateway.stub.answerNextWith(resets(), answer({ pieces: [CALL] }));
    expect(assembled(await gateway.complete(ASK_TOOLS))).toEqual(calledOnce);
  });
});
