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
/** Everything that is easily lost on the way: markup, quotes, entities, indentation, a line break at the end. */
const CONTENT = `<p class="a">It's &lt;here&gt; & "there"</p>
    <parameter=x>C:\\new\\table</parameter>

	éß😀 \${x} \`y\`
`;
const REQUEST = `Create ${PATH} with this content:\n\`\`\`html\n${CONTENT}\`\`\`\nand then read it back.`;
/** All that is said in words. */
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

/** Unmodified agent libraries with tools of their own, before a chat site that knows only text. */
describe('agents', () => {
  let gateway: TestGateway;
  let workspace: AgentWorkspace;

  beforeAll(async () => {
    // These libraries leave `stream` out where they want one JSON body.
    gateway = await startGateway({ STREAM_DEFAULT: false });
  });

  afterAll(() => gateway.close());

  beforeEach(async () => {
    workspace = await AgentWorkspace.create();
  });

  afterEach(() => workspace.remove());

  /** The tools ran once each, in order, with the arguments asked for, and no call syntax was shown. */
  async function expectDone(shown: string): Promise<void> {
    expect(workspace.calls).toEqual([
      ['write_file', { path: PATH, content: CONTENT }],
      ['read_file', { path: PATH }],
    ]);
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
      // The content of the file reached the agent in pieces.
      expect(kinds.get('tool-input-delta')).toBeGreaterThan(4);
      expect(await result.finishReason).toBe('stop');
      await expectDone(shown);
    });

    it('runs its loop without', async () => {
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

  it('gets the calls that a script makes, together or one at a time, and those that it demands', async () => {
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'none', maxRetries: 0 });
    const ask = async (content: string, fields: object = {}): Promise<string[]> => {
      const { choices } = await client.chat.completions.create({
        model: 'svc-max',
        messages: [{ role: 'user', content }],
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
    };
    const both = '[[call:read_file:{"path":"a"}]][[also:read_file:{"path":"b"}]]';
    expect(await ask(both)).toEqual(['read_file {"path":"a"}', 'read_file {"path":"b"}']);
    expect(await ask(both, { parallel_tool_calls: false })).toEqual(['read_file {"path":"a"}']);
    expect(await ask('Hello')).toEqual([]);
    expect(await ask('Hello "there"', { tool_choice: 'required' })).toEqual([
      'write_file {"path":"there","content":"there"}',
    ]);
    const tool_choice = { type: 'function', function: { name: 'read_file' } };
    expect(await ask('Create x.txt', { tool_choice })).toEqual(['read_file {"path":"Create x.txt"}']);
    expect(await ask('Create x.txt', { tool_choice: 'none' })).toEqual([]);
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
