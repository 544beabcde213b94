import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { type Runnable } from '@langchain/core/runnables';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, stepCountIs, streamText, tool, type ToolSet } from 'ai';
import OpenAI from 'openai';
import {
  AgentWorkspace,
  READ_FILE,
  type ReadFile,
  WRITE_FILE,
  type WriteFile,
} from '../support/gateway/agent-workspace.js';
import { startGateway, type TestGateway } from '../support/gateway/gateway.js';

const PATH = 'notes/page.html';
/** Text that is easily damaged on the way: markup, quotes, entities, indentation, a line break at the end. */
const CONTENT = `<p class="a">It's &lt;here&gt; & "there"</p>
    <parameter=x>C:\\new\\table</parameter>

	éß😀 \${x} \`y\`
`;
const STEPS = [
  ['write_file', { path: PATH, content: CONTENT }],
  ['read_file', { path: PATH }],
] as const;
/** Each step is a call of its own message, after the result of the one before. */
const REQUEST = STEPS.map(([name, input]) => `[[call:${name}:${JSON.stringify(input)}]]`).join('\nThen: ');
/** The only text of the whole loop. */
const FINAL =
  'Done, as far as the built-in sandbox can: it has called write_file, read_file. ' +
  `The last result begins: “${CONTENT.replace(/\s+/g, ' ').slice(0, 60)}…”`;

async function joined(chunks: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let all: AIMessageChunk | undefined;
  for await (const chunk of chunks) {
    all = all ? all.concat(chunk) : chunk;
  }
  return all!;
}

/** Unmodified agent libraries with working tools, in front of a chat site that knows text only. */
describe('agents', () => {
  let gateway: TestGateway;
  let workspace: AgentWorkspace;

  beforeAll(async () => {
    gateway = await startGateway();
  });

  afterAll(() => gateway.close());

  beforeEach(async () => {
    workspace = await AgentWorkspace.create();
  });

  afterEach(() => workspace.remove());

  /** Each tool ran once, in order, with exact arguments, and no markup of the calls was shown. */
  async function expectDone(shown: string): Promise<void> {
    expect(workspace.calls).toEqual(STEPS);
    expect(await workspace.contentOf(PATH)).toBe(CONTENT);
    expect(shown).toBe(FINAL);
  }

  describe('the AI SDK', () => {
    const model = (): Parameters<typeof generateText>[0]['model'] =>
      createOpenAICompatible({ name: 'gateway', baseURL: gateway.baseUrl })('svc-max');
    const tools = (): ToolSet => ({
      write_file: tool({
        description: WRITE_FILE.description,
        inputSchema: jsonSchema<WriteFile>(WRITE_FILE.parameters),
        execute: workspace.writeFile,
      }),
      read_file: tool({
        description: READ_FILE.description,
        inputSchema: jsonSchema<ReadFile>(READ_FILE.parameters),
        execute: workspace.readFile,
      }),
    });

    it('runs its loop with streams', async () => {
      const result = streamText({
        model: model(),
        tools: tools(),
        stopWhen: stepCountIs(6),
        prompt: REQUEST,
        maxRetries: 0,
      });
      const kinds = new Map<string, number>();
      let shown = '';
      for await (const part of result.fullStream) {
        kinds.set(part.type, (kinds.get(part.type) ?? 0) + 1);
        shown += part.type === 'text-delta' ? part.text : '';
      }
      expect(kinds.get('error')).toBeUndefined();
      expect([kinds.get('tool-call'), kinds.get('tool-result')]).toEqual([2, 2]);
      // The file's content was streamed in pieces.
      expect(kinds.get('tool-input-delta')).toBeGreaterThan(4);
      expect(await result.finishReason).toBe('stop');
      await expectDone(shown);
    });

    it('runs its loop without streams', async () => {
      const { text, steps } = await generateText({
        model: model(),
        tools: tools(),
        stopWhen: stepCountIs(6),
        prompt: REQUEST,
        maxRetries: 0,
      });
      expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop']);
      expect(steps.map((step) => step.text).join('')).toBe(text);
      await expectDone(text);
    });
  });

  describe('LangChain', () => {
    type Ask = (
      model: Runnable<BaseMessage[], AIMessageChunk>,
      messages: BaseMessage[],
    ) => Promise<AIMessageChunk>;

    it.each<[string, Ask]>([
      ['streams', async (model, messages) => joined(await model.stream(messages))],
      ['whole answers', (model, messages) => model.invoke(messages)],
    ])('runs a loop with %s', async (_what, ask) => {
      const model = new ChatOpenAI({
        model: 'svc-max',
        apiKey: 'none',
        maxRetries: 0,
        configuration: { baseURL: gateway.baseUrl },
      }).bindTools([WRITE_FILE, READ_FILE].map((definition) => ({ type: 'function', function: definition })));
      const messages: BaseMessage[] = [new HumanMessage(REQUEST)];
      let answer: AIMessageChunk;
      let shown = '';
      do {
        answer = await ask(model, messages);
        messages.push(answer);
        shown += answer.text;
        expect(answer.invalid_tool_calls ?? []).toEqual([]);
        for (const { id = '', name, args } of answer.tool_calls ?? []) {
          const result = await (name === 'write_file'
            ? workspace.writeFile(args as WriteFile)
            : workspace.readFile(args as ReadFile));
          messages.push(new ToolMessage({ content: result, tool_call_id: id }));
        }
      } while ((answer.tool_calls ?? []).length > 0 && messages.length < 12);
      expect(messages).toHaveLength(6);
      await expectDone(shown);
    });
  });

  describe('openai chat.completions.create', () => {
    type Message = OpenAI.ChatCompletionMessageParam;

    /** The answer's calls, each with its arguments; checks their ids and the finish reason. */
    async function ask(content: string | Message[], fields: object = {}): Promise<string[]> {
      const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'none', maxRetries: 0 });
      const { choices } = await client.chat.completions.create({
        model: 'svc-max',
        messages: typeof content === 'string' ? [{ role: 'user', content }] : content,
        tools: [WRITE_FILE, READ_FILE].map((definition) => ({ type: 'function', function: definition })),
        stream: false,
        ...fields,
      });
      const [choice] = choices;
      const calls = choice?.message.tool_calls ?? [];
      expect(choice?.finish_reason).toBe(calls.length > 0 ? 'tool_calls' : 'stop');
      expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
      return calls.map((call) =>
        call.type === 'function' ? `${call.function.name} ${call.function.arguments}` : '',
      );
    }

    const write = 'write_file {"path":"sandbox-sample","content":"sandbox-sample"}';

    it('gets parallel calls, or the first one alone', async () => {
      const both = '[[call:read_file:{"path":"a"}]][[also:read_file:{"path":"b"}]]';
      expect(await ask(both)).toEqual(['read_file {"path":"a"}', 'read_file {"path":"b"}']);
      expect(await ask(both, { parallel_tool_calls: false })).toEqual(['read_file {"path":"a"}']);
    });

    it('gets a call or a text, as the model chooses', async () => {
      expect(await ask('Hello')).toEqual([write]);
      expect(await ask('[[say:Hello]]')).toEqual([]);
    });

    it('gets the call that it demands, or none', async () => {
      expect(await ask('Hello', { tool_choice: 'required' })).toEqual([write]);
      const tool_choice = { type: 'function', function: { name: 'read_file' } };
      expect(await ask('Hello', { tool_choice })).toEqual(['read_file {"path":"sandbox-sample"}']);
      expect(await ask('Hello', { tool_choice: 'none' })).toEqual([]);
    });

    it('gets a text after a result, unless it demands a call', async () => {
      const call = {
        id: '1',
        type: 'function',
        function: { name: 'read_file', arguments: '{"path":"a"}' },
      } as const;
      const messages: Message[] = [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: '1', content: 'A' },
      ];
      expect(await ask(messages)).toEqual([]);
      expect(await ask(messages, { tool_choice: 'required' })).toEqual([write]);
    });
  });

  describe.each([true, false])('openai runTools, streaming: %s', (stream) => {
    it('runs its loop', async () => {
      const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'none', maxRetries: 0 });
      const runner = client.chat.completions.runTools(
        {
          model: 'svc-max',
          stream: stream as true,
          messages: [
            { role: 'system', content: 'Use the tools.' },
            { role: 'user', content: REQUEST },
          ],
          tools: [
            {
              type: 'function',
              function: {
                ...WRITE_FILE,
                parse: (json: string) => JSON.parse(json) as WriteFile,
                function: workspace.writeFile,
              },
            },
            {
              type: 'function',
              function: {
                ...READ_FILE,
                parse: (json: string) => JSON.parse(json) as ReadFile,
                function: workspace.readFile,
              },
            },
          ],
        },
        { maxChatCompletions: 6 },
      );
      let shown = '';
      runner.on('message', (message) => {
        shown += message.role === 'assistant' && typeof message.content === 'string' ? message.content : '';
      });
      const final = await runner.finalContent();
      expect(shown).toBe(final);
      await expectDone(shown);
    });
  });
});
