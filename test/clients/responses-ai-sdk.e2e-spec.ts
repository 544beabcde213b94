import { createOpenAI, type OpenAIProvider } from '@ai-sdk/openai';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';

const callsRead = answer({
  pieces: [],
  reasoning: ['Hm'],
  toolCalls: [{ id: 'c1', name: 'read', arguments: ['{"path"', ':"a"}'] }],
});

/** `createOpenAI()(model)` speaks to `/v1/responses`, and refers to stored items by their ids. */
describe('responses with the AI SDK', () => {
  let gateway: StubGateway;
  let provider: OpenAIProvider;

  beforeAll(async () => {
    // It warns on the console that it leaves reasoning out, which nobody here needs to read.
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    gateway = await StubGateway.start();
    provider = createOpenAI({ baseURL: `${gateway.origin}/v1`, apiKey: 'none' });
  });

  afterAll(() => gateway.close());

  it('streams text', async () => {
    gateway.stub.answerNextWith(answer({ pieces: ['Hel', 'lo'] }));
    const result = streamText({ model: provider('svc-max'), prompt: 'Hi', maxRetries: 0 });
    let text = '';
    for await (const piece of result.textStream) {
      text += piece;
    }
    expect([text, await result.finishReason]).toEqual(['Hello', 'stop']);
    expect(gateway.entries.at(-1)?.path).toBe('/v1/responses');
  });

  it.each([true, false])('runs a loop of tools, stored: %s', async (store) => {
    const paths: string[] = [];
    const tools = {
      read: tool({
        description: 'Reads a file.',
        inputSchema: z.object({ path: z.string() }),
        execute: ({ path }) => {
          paths.push(path);
          return 'A';
        },
      }),
    };
    gateway.stub.answerNextWith(callsRead);
    gateway.stub.answerNextWith(answer({ pieces: ['Done.'] }));
    const result = await generateText({
      model: provider('svc-max'),
      prompt: 'Read a.',
      tools,
      stopWhen: stepCountIs(3),
      maxRetries: 0,
      providerOptions: { openai: { store } },
    });
    expect([result.text, paths]).toEqual(['Done.', ['a']]);
    const messages = gateway.stub.requests.at(-1)!.body.messages;
    expect(messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  const exit = { type: 'exit', exitCode: 0 } as const;
  const RESULTS = {
    shell: { output: [{ stdout: 'A', stderr: '', outcome: exit }] },
    local_shell: { output: 'A' },
    apply_patch: { status: 'completed' as const, output: 'A' },
  };
  const patch = { type: 'update_file', path: 'a', diff: '@@\n-a\n+b' };

  it.each<[kind: keyof typeof RESULTS, called: object, done: object]>([
    ['shell', { commands: ['ls'] }, { action: { commands: ['ls'] } }],
    ['local_shell', { command: ['ls'] }, { action: { type: 'exec', command: ['ls'], env: {} } }],
    ['apply_patch', patch, { operation: patch }],
  ])('runs the built-in tool %s in a loop', async (kind, called, done) => {
    const runs: unknown[] = [];
    const execute = <T>(result: T) => ({ execute: (input: unknown) => (runs.push(input), result) });
    const { shell, localShell, applyPatch } = provider.tools;
    const tools = {
      shell: shell(execute(RESULTS.shell)),
      local_shell: localShell(execute(RESULTS.local_shell)),
      apply_patch: applyPatch(execute(RESULTS.apply_patch)),
    };
    const asked = {
      model: provider('svc-max'),
      prompt: 'Go on.',
      tools: { [kind]: tools[kind] },
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    };
    const call = { id: 'c1', name: kind, arguments: [JSON.stringify(called)] };
    const said: string[] = [];
    for (const isStreamed of [false, true]) {
      gateway.stub.answerNextWith(answer({ pieces: [], toolCalls: [call] }));
      gateway.stub.answerNextWith(answer({ pieces: ['Done.'] }));
      said.push(isStreamed ? await streamText(asked).text : (await generateText(asked)).text);
      const messages = gateway.stub.requests.at(-1)!.body.messages;
      expect(messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    }
    expect(said).toEqual(['Done.', 'Done.']);
    expect(runs).toEqual([expect.objectContaining(done), expect.objectContaining(done)]);
  });
});
