import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AIMessageChunk, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { type AgentFolder } from '../agent-folder.js';
import {
  COMMAND_TOOL,
  type CommandInput,
  LIBRARY_CALLS,
  LibraryTools,
  WRITE_TOOL,
  type WriteInput,
} from './library-tools.js';
import { type TaskClient } from './task-client.js';

const MODEL = 'svc-max';
const MAX_STEPS = 20;

/** A loop of a library over streams, with its own retries. Adds what its user would see as it comes. */
type Loop = (
  task: string,
  tools: LibraryTools,
  baseURL: string,
  show: (text: string) => void,
) => Promise<void>;

/** A program that is made with a library of the tests. */
function libraryClient(name: string, loop: Loop): TaskClient {
  return {
    name,
    ...LIBRARY_CALLS,
    install: async () => undefined,
    perform: async (task: string, folder: AgentFolder, baseUrl: string): Promise<string> => {
      let shown = '';
      const show = (text: string): void => {
        shown += text;
      };
      try {
        await loop(task, new LibraryTools(folder), baseUrl, show);
        return shown;
      } catch (error) {
        return `${shown}\n${String(error)}`;
      }
    },
  };
}

export const OPENAI = libraryClient('openai', async (task, tools, baseURL, show) => {
  const client = new OpenAI({ baseURL, apiKey: 'none' });
  const runner = client.chat.completions.runTools(
    {
      model: MODEL,
      stream: true,
      messages: [{ role: 'user', content: task }],
      tools: [
        {
          type: 'function',
          function: {
            ...WRITE_TOOL,
            parse: (json: string) => JSON.parse(json) as WriteInput,
            function: tools.write,
          },
        },
        {
          type: 'function',
          function: {
            ...COMMAND_TOOL,
            parse: (json: string) => JSON.parse(json) as CommandInput,
            function: tools.run,
          },
        },
      ],
    },
    { maxChatCompletions: MAX_STEPS },
  );
  runner.on('content', show);
  await runner.finalContent();
});

export const AI_SDK = libraryClient('AI SDK', async (task, tools, baseURL, show) => {
  const result = streamText({
    model: createOpenAICompatible({ name: 'gateway', baseURL })(MODEL),
    prompt: task,
    stopWhen: stepCountIs(MAX_STEPS),
    onError: () => undefined,
    tools: {
      [WRITE_TOOL.name]: tool({
        description: WRITE_TOOL.description,
        inputSchema: jsonSchema<WriteInput>(WRITE_TOOL.parameters),
        execute: tools.write,
      }),
      [COMMAND_TOOL.name]: tool({
        description: COMMAND_TOOL.description,
        inputSchema: jsonSchema<CommandInput>(COMMAND_TOOL.parameters),
        execute: tools.run,
      }),
    },
  });
  for await (const part of result.fullStream) {
    if (part.type === 'error') {
      throw part.error;
    }
    show(part.type === 'text-delta' ? part.text : '');
  }
});

export const LANGCHAIN = libraryClient('LangChain', async (task, tools, baseURL, show) => {
  const model = new ChatOpenAI({ model: MODEL, apiKey: 'none', configuration: { baseURL } }).bindTools(
    [WRITE_TOOL, COMMAND_TOOL].map((definition) => ({ type: 'function', function: definition })),
  );
  const messages: BaseMessage[] = [new HumanMessage(task)];
  for (let step = 0; step < MAX_STEPS; step++) {
    let answer = new AIMessageChunk('');
    for await (const chunk of await model.stream(messages)) {
      show(chunk.text);
      answer = answer.concat(chunk);
    }
    messages.push(answer);
    const { tool_calls: calls = [] } = answer;
    for (const { id = '', name, args } of calls) {
      const content = await (name === WRITE_TOOL.name
        ? tools.write(args as WriteInput)
        : tools.run(args as CommandInput));
      messages.push(new ToolMessage({ content, tool_call_id: id }));
    }
    if (calls.length === 0) {
      return;
    }
  }
});
