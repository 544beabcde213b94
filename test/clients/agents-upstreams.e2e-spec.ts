import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { type Settings } from '../../src/common/config/settings.js';
import { READ_FILE, WRITE_FILE } from '../support/gateway/agent-workspace.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, type ToolCallPlan } from '../support/upstream/openai-stub-plans.js';

const tools: OpenAI.ChatCompletionTool[] = [WRITE_FILE, READ_FILE].map((definition) => ({
  type: 'function',
  function: definition,
}));
const read = (path: string): string =>
  `<tool_call>\n<function=read_file>\n<parameter=path>${path}</parameter>\n</function>\n</tool_call>`;
const MALFORMED = '<tool_call>{"name":"read_file","arguments":{"path" "a"}}</tool_call>';
const user = { role: 'user', content: 'Read a.' } as const;

type Fields = Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>;

/** Requests of an agent over an API; the gateway emulates the tools or passes them on. */
describe.each<NonNullable<Settings['TOOL_MODE']>>(['emulated', 'native'])('%s tools over an API', (mode) => {
  let gateway: StubGateway;
  let client: OpenAI;

  beforeAll(async () => {
    gateway = await StubGateway.start({ TOOL_MODE: mode, LOG_CONTENT: 'full' });
    client = new OpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: 'none', maxRetries: 0 });
  });

  afterAll(() => gateway.close());

  afterEach(() => {
    gateway.stub.requests.length = 0;
  });

  /** The choice of one answer, assembled from its stream if there is one. */
  async function ask(fields: Fields = {}, stream = false): Promise<OpenAI.ChatCompletion.Choice> {
    const body = { model: 'svc-max', messages: [user], tools, ...fields };
    const completion = stream
      ? await client.chat.completions.stream({ ...body, stream: true }).finalChatCompletion()
      : await client.chat.completions.create({ ...body, stream: false });
    return completion.choices[0]!;
  }

  /** Names and arguments of a choice's calls. */
  function calls({ message }: OpenAI.ChatCompletion.Choice): [string, string][] {
    return (message.tool_calls ?? []).map((call) =>
      call.type === 'function' ? [call.function.name, call.function.arguments] : ['', ''],
    );
  }

  if (mode === 'emulated') {
    it.each([false, true])(
      'describes tools in the prompt and reads calls from the text, streamed: %s',
      async (stream) => {
        gateway.stub.answerNextWith(answer({ pieces: ['I read.\n', ...read('a').match(/[\s\S]{1,5}/g)!] }));
        const choice = await ask({}, stream);
        expect(calls(choice)).toEqual([['read_file', '{"path":"a"}']]);
        expect([choice.message.content, choice.finish_reason]).toEqual(['I read.', 'tool_calls']);
        const { body } = gateway.stub.requests[0]!;
        expect(['tools' in body, 'tool_choice' in body, 'parallel_tool_calls' in body]).toEqual([
          false,
          false,
          false,
        ]);
        expect(body.messages?.map(({ role }) => role)).toEqual(['system', 'user']);
        expect(body.messages?.[0]?.content).toMatch(/^# Tools\n/);
        expect(body.messages?.[1]?.content).toMatch(/^Read a\.\n\nTo call a tool, /);
      },
    );

    it('renders past calls and results as messages', async () => {
      gateway.stub.answerNextWith(answer({ pieces: ['Done.'] }));
      const call = {
        id: '1',
        type: 'function',
        function: { name: 'read_file', arguments: '{"path":"a"}' },
      } as const;
      const choice = await ask({
        messages: [
          { role: 'system', content: 'Be brief.' },
          user,
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: '1', content: 'A' },
        ],
      });
      expect(choice.message.content).toBe('Done.');
      const messages = gateway.stub.requests[0]!.body.messages!;
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
      expect(messages[0]?.content).toMatch(/^Be brief\.\n\n# Tools\n/);
      expect(messages[2]).toEqual({ role: 'assistant', content: read('a') });
      expect(messages[3]?.content).toMatch(
        /^<tool_response name="read_file">\nA\n<\/tool_response>\n\nTo call/,
      );
    });

    it.each([false, true])('asks again after an unreadable call, streamed: %s', async (stream) => {
      gateway.stub.answerNextWith(answer({ pieces: [MALFORMED] }));
      gateway.stub.answerNextWith(answer({ pieces: [read('a')] }));
      const choice = await ask({}, stream);
      expect(calls(choice)).toEqual([['read_file', '{"path":"a"}']]);
      expect(choice.message.content ?? '').toBe('');
      const [, again] = gateway.stub.requests.map(({ body }) => body.messages!);
      // The text is cut where the call becomes unreadable.
      expect(again?.at(-2)).toEqual({
        role: 'assistant',
        content: MALFORMED.slice(0, MALFORMED.indexOf('"a"')),
      });
      expect(again?.at(-1)?.content).toMatch(
        /\n\nYour last message was not used, because its tool call cannot be read\. /,
      );
      expect(gateway.stub.requests).toHaveLength(2);
    });

    it('returns the text of a second unreadable call as it is', async () => {
      gateway.stub.answerNextWith(answer({ pieces: [MALFORMED] }));
      gateway.stub.answerNextWith(answer({ pieces: [MALFORMED] }));
      const choice = await ask();
      expect([choice.message.content, choice.finish_reason]).toEqual([MALFORMED, 'stop']);
    });

    it.each<[Fields['tool_choice'], string]>([
      ['required', 'does not call a tool, which it must.'],
      [
        { type: 'function', function: { name: 'read_file' } },
        'does not call the tool read_file, which it must.',
      ],
    ])('insists on a call: %j', async (tool_choice, reminder) => {
      gateway.stub.answerNextWith(answer({ pieces: ['No.'] }));
      gateway.stub.answerNextWith(answer({ pieces: [read('b')] }));
      expect(calls(await ask({ tool_choice }))).toEqual([['read_file', '{"path":"b"}']]);
      expect(gateway.stub.requests[1]!.body.messages!.at(-1)!.content).toContain(reminder);
      gateway.stub.answerNextWith(answer({ pieces: ['No.'] }));
      gateway.stub.answerNextWith(answer({ pieces: ['No!'] }));
      await expect(ask({ tool_choice })).rejects.toMatchObject({ status: 500, code: 'internal_error' });
    });

    it('reads no calls without tools or with tool_choice none', async () => {
      gateway.stub.answerNextWith(answer({ pieces: [read('a')] }));
      expect((await ask({ tool_choice: 'none' })).message.content).toBe(read('a'));
      gateway.stub.answerNextWith(answer({ pieces: [read('a')] }));
      expect((await ask({ tools: undefined })).message.content).toBe(read('a'));
      expect(gateway.stub.requests.map(({ body }) => body.messages)).toEqual([[user], [user]]);
    });

    it('keeps the first call with parallel_tool_calls off', async () => {
      gateway.stub.answerNextWith(answer({ pieces: [`${read('a')}\n${read('b')}`] }));
      expect(calls(await ask({ parallel_tool_calls: false }))).toEqual([['read_file', '{"path":"a"}']]);
      gateway.stub.answerNextWith(answer({ pieces: [`${read('a')}\n${read('b')}`] }));
      expect(calls(await ask())).toHaveLength(2);
    });
  } else {
    const toolCall = (id: string, name: string, ...pieces: string[]): ToolCallPlan => ({
      id,
      name,
      arguments: pieces,
    });
    const answers = (...toolCalls: ToolCallPlan[]): StubPlan => answer({ pieces: [], toolCalls });

    it.each([false, true])('passes tools on and checks the calls, streamed: %s', async (stream) => {
      gateway.stub.answerNextWith(
        answers(toolCall('c1', 'read_file', '{"pa', 'th":5,}'), toolCall('c2', 'other', '{"x":', '1')),
      );
      const choice = await ask({}, stream);
      expect(calls(choice)).toEqual([
        ['read_file', '{"path":"5"}'],
        ['other', '{"x":1'],
      ]);
      const { body } = gateway.stub.requests[0]!;
      expect([body.tools, body.messages]).toEqual([tools, [user]]);
    });

    it('keeps the first call with parallel_tool_calls off', async () => {
      gateway.stub.answerNextWith(
        answers(toolCall('c1', 'read_file', '{"path":"a"}'), toolCall('c2', 'read_file', '{}')),
      );
      expect(calls(await ask({ parallel_tool_calls: false }))).toEqual([['read_file', '{"path":"a"}']]);
    });

    it('reaches the upstream with a result behind each call after interruptions, in two formats', async () => {
      const call = (id: string): OpenAI.ChatCompletionMessageToolCall => ({
        id,
        type: 'function',
        function: { name: 'read_file', arguments: '{}' },
      });
      const result = (id: string, content: string): OpenAI.ChatCompletionToolMessageParam => ({
        role: 'tool',
        tool_call_id: id,
        content,
      });
      const item = (call_id: string): OpenAI.Responses.ResponseFunctionToolCall => ({
        type: 'function_call',
        call_id,
        name: 'read_file',
        arguments: '{}',
      });
      const stop = { role: 'user', content: 'Stop.' } as const;
      const told = 'No result: the call was not finished.';
      const seen = [
        ['user', undefined],
        ['assistant', undefined],
        ['tool', 'A'],
        ['user', undefined],
        ['assistant', undefined],
        ['tool', told],
        ['user', undefined],
      ];

      gateway.stub.answerNextWith(answer());
      const [first, second] = ['a', 'b'].map((id) => ({
        role: 'assistant' as const,
        content: null,
        tool_calls: [call(id)],
      }));
      await ask({ messages: [user, first!, stop, result('a', 'A'), second!, stop] });
      gateway.stub.answerNextWith(answer());
      await client.responses.create({
        model: 'svc-max',
        input: [
          user,
          item('a'),
          stop,
          { type: 'function_call_output', call_id: 'a', output: 'A' },
          item('b'),
          stop,
        ],
      });

      for (const { body } of gateway.stub.requests) {
        expect(
          body.messages!.map(({ role, content }) => [role, role === 'tool' ? content : undefined]),
        ).toEqual(seen);
      }
      expect(gateway.stub.requests).toHaveLength(2);
    });
  }
});
