import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic, {
  APIConnectionError,
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateText, jsonSchema, stepCountIs, streamText, tool, type ToolSet } from 'ai';
import {
  AgentWorkspace,
  READ_FILE,
  type ReadFile,
  WRITE_FILE,
  type WriteFile,
} from '../support/gateway/agent-workspace.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { type StubPlan } from '../support/upstream/openai-stub.js';
import { answer, endless, failed, rateLimited, resets } from '../support/upstream/openai-stub-plans.js';
import { ScriptedModel } from '../support/upstream/scripted-model.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const PATH = 'notes/page.html';
const CONTENT = `<p class="a">It's &lt;here&gt; & "there"</p>\n    C:\\new\\table\n\n\téß😀 \${x}\n`;
const STEPS = [
  ['write_file', { path: PATH, content: CONTENT }],
  ['read_file', { path: PATH }],
] as const;
const LAST_WORDS = 'The page is written.';
const ASK = {
  model: 'claude-sonnet-5-5',
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'Hi' }],
} satisfies Anthropic.MessageCreateParamsNonStreaming;
const USAGE = { prompt_tokens: 30, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 10 } };

let gateway: StubGateway;

async function start(settings: Parameters<typeof StubGateway.start>[0] = {}): Promise<void> {
  gateway = await StubGateway.start({ API_KEY: 'key-1', RETRY_MAX_ATTEMPTS: 1, ...settings });
}

afterEach(() => gateway.close());

/** A model that writes a file and reads it, one call an answer. */
function serveSteps(isNative: boolean): void {
  const calls = STEPS.map(([name, input]) => ({ name, input }));
  new ScriptedModel(isNative, calls, LAST_WORDS).serve(gateway.stub);
}

describe('@anthropic-ai/sdk', () => {
  const client = (options: object = {}): Anthropic =>
    new Anthropic({ baseURL: gateway.origin, apiKey: 'key-1', maxRetries: 0, ...options });

  it('gets a whole message', async () => {
    await start();
    gateway.stub.answerWith(answer({ reasoning: ['Hm.'], pieces: ['Hel', 'lo.'], usage: USAGE }));
    const message = await client().messages.create({
      ...ASK,
      thinking: { type: 'enabled', budget_tokens: 1024 },
    });
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'svc-max',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Hello.' },
      ],
      stop_reason: 'end_turn',
      usage: { input_tokens: 20, cache_read_input_tokens: 10, output_tokens: 20 },
    });
    expect(message._request_id).toBe(gateway.lastEntry?.id);
  });

  it('adds a stream up to the same message', async () => {
    await start();
    gateway.stub.answerWith(answer({ reasoning: ['H', 'm.'], pieces: ['Hel', 'lo.'], usage: USAGE }));
    const fields = { ...ASK, thinking: { type: 'adaptive' } } as const;
    const texts: string[] = [];
    const streamed = await client()
      .messages.stream(fields)
      .on('text', (text) => texts.push(text))
      .finalMessage();
    const { content, stop_reason, usage } = await client().messages.create(fields);
    expect(texts).toEqual(['Hel', 'lo.']);
    expect(streamed).toMatchObject({ content, stop_reason, usage });
  });

  it('names the stop sequence', async () => {
    await start();
    gateway.stub.answerWith(answer({ pieces: ['One. Two.'] }));
    const { stop_reason, stop_sequence } = await client().messages.create({
      ...ASK,
      stop_sequences: ['Two'],
    });
    expect([stop_reason, stop_sequence]).toEqual(['stop_sequence', 'Two']);
  });

  describe.each(['native', 'emulated'] as const)('with %s calls', (mode) => {
    let workspace: AgentWorkspace;

    beforeEach(async () => {
      await start({ TOOL_MODE: mode });
      serveSteps(mode === 'native');
      workspace = await AgentWorkspace.create();
    });

    afterEach(() => workspace.remove());

    it.each([false, true])('runs its loop of tools, streamed: %s', async (stream) => {
      const runner = client().beta.messages.toolRunner({
        ...ASK,
        stream,
        max_iterations: 6,
        tools: [
          betaTool({
            name: WRITE_FILE.name,
            description: WRITE_FILE.description,
            inputSchema: WRITE_FILE.parameters,
            run: (input) => workspace.writeFile(input as unknown as WriteFile),
          }),
          betaTool({
            name: READ_FILE.name,
            description: READ_FILE.description,
            inputSchema: READ_FILE.parameters,
            run: (input) => workspace.readFile(input as unknown as ReadFile),
          }),
        ],
      });
      const { content, stop_reason } = await runner.runUntilDone();
      expect([content, stop_reason]).toMatchObject([[{ type: 'text', text: LAST_WORDS }], 'end_turn']);
      expect(workspace.calls).toEqual(STEPS);
      expect(await workspace.contentOf(PATH)).toBe(CONTENT);
      // An id that the upstream has given stays as it is.
      const id = expect.stringMatching(mode === 'native' ? /^call_/ : /^toolu_\w{32}$/);
      expect(runner.params.messages[1]?.content).toContainEqual(expect.objectContaining({ id }));
    });
  });

  it('counts tokens, and lists the models', async () => {
    await start();
    const { input_tokens } = await client().messages.countTokens({
      model: ASK.model,
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Hello there.' }],
    });
    expect(input_tokens).toBeGreaterThan(5);
    const ids: string[] = [];
    for await (const { id, type } of client().models.list()) {
      ids.push(id);
      expect(type).toBe('model');
    }
    expect(ids).toContain('svc-max');
    expect(await client().models.retrieve('claude-opus-5-5')).toMatchObject({ id: 'svc-max' });
    expect(gateway.stub.requests).toEqual([]);
  });

  it('is refused in its own format at every path', async () => {
    await start();
    const refused: unknown = await client()
      .models.retrieve('gpt-x')
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NotFoundError);
    expect(refused).toMatchObject({ type: 'not_found_error', requestID: expect.stringMatching(/^req_/) });
    const lost: unknown = await client()
      .messages.batches.list()
      .catch((error: unknown) => error);
    expect(lost).toMatchObject({ type: 'not_found_error', requestID: expect.stringMatching(/^req_/) });
    expect((lost as APIError).message).not.toContain('a base URL ends in /v1');
  });

  it('leaves when it is told to', async () => {
    await start();
    gateway.stub.answerWith(endless(5));
    const stream = client().messages.stream(ASK);
    stream.once('text', () => stream.abort());
    await expect(stream.finalMessage()).rejects.toThrow(APIUserAbortError);
    await eventually(PATIENCE_MS, () => expect(gateway.lastEntry?.outcome).toBe('cancelled'));
  });

  it('takes a bearer token for the key', async () => {
    await start();
    gateway.stub.answerWith(answer());
    const message = await client({ apiKey: null, authToken: 'key-1' }).messages.create(ASK);
    expect(message.stop_reason).toBe('end_turn');
  });

  it.each<[string, object, object, StubPlan, unknown, string]>([
    ['a wrong key', { apiKey: 'key-2' }, {}, answer(), AuthenticationError, 'authentication_error'],
    ['a bad field', {}, { max_tokens: -1 }, answer(), BadRequestError, 'invalid_request_error'],
    ['an unknown model', {}, { model: 'gpt' }, answer(), NotFoundError, 'not_found_error'],
    ['a rate limit', {}, {}, rateLimited({ retryAfter: '9' }), RateLimitError, 'rate_limit_error'],
    ['a failure', {}, {}, failed(500), InternalServerError, 'api_error'],
    ['an overload', {}, {}, failed(503), InternalServerError, 'overloaded_error'],
  ])('throws %s as a typed error', async (_what, options, fields, plan, type, word) => {
    await start();
    gateway.stub.answerWith(plan);
    const error = await client(options)
      .messages.create({ ...ASK, ...fields })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ type: word, requestID: gateway.lastEntry?.id });
  });

  it('throws an error within a stream, which is no lost connection', async () => {
    await start();
    gateway.stub.answerWith(resets(3));
    const error = await client()
      .messages.stream(ASK)
      .finalMessage()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(APIError);
    expect(error).not.toBeInstanceOf(APIConnectionError);
    expect(error).toMatchObject({ type: 'api_error' });
  });

  it('tries again by itself after a short limit', async () => {
    await start();
    gateway.stub.answerNextWith(rateLimited({ retryAfter: '1' }));
    gateway.stub.answerWith(answer({ pieces: ['Yes.'] }));
    const { content } = await client({ maxRetries: 2 }).messages.create(ASK);
    expect(content).toMatchObject([{ type: 'text', text: 'Yes.' }]);
  });
});

describe.each(['native', 'emulated'] as const)('the AI SDK’s provider, with %s calls', (mode) => {
  let workspace: AgentWorkspace;

  beforeEach(async () => {
    await start({ TOOL_MODE: mode });
    serveSteps(mode === 'native');
    workspace = await AgentWorkspace.create();
  });

  afterEach(() => workspace.remove());

  /** A task of two steps for a loop of the library. */
  function task() {
    const tools: ToolSet = {
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
    };
    const provider = createAnthropic({ baseURL: `${gateway.origin}/v1`, apiKey: 'key-1' });
    const providerOptions = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } };
    const model = provider('svc-max');
    return {
      model,
      tools,
      providerOptions,
      stopWhen: stepCountIs(6),
      prompt: 'Do it.',
      maxOutputTokens: 2000,
      maxRetries: 0,
    };
  }

  it('runs its loop with streams', async () => {
    const result = streamText(task());
    let text = '';
    let reasoning = '';
    for await (const part of result.fullStream) {
      expect(part.type).not.toBe('error');
      text += part.type === 'text-delta' ? part.text : '';
      reasoning += part.type === 'reasoning-delta' ? part.text : '';
    }
    expect([text, reasoning, await result.finishReason]).toEqual([LAST_WORDS, 'Next.Next.All done.', 'stop']);
    expect(workspace.calls).toEqual(STEPS);
    expect(await workspace.contentOf(PATH)).toBe(CONTENT);
  });

  it('runs its loop without streams', async () => {
    const { text, steps } = await generateText(task());
    expect(text).toBe(LAST_WORDS);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop']);
    expect(workspace.calls).toEqual(STEPS);
  });
});

describe.each(['native', 'emulated'] as const)(
  'predefined tools that the caller runs, with %s calls',
  (mode) => {
    it('are called by a model that nobody taught them', async () => {
      await start({ TOOL_MODE: mode });
      const calls = [{ name: 'bash', input: { command: 'ls -a' } }];
      new ScriptedModel(mode === 'native', calls, LAST_WORDS).serve(gateway.stub);
      const provider = createAnthropic({ baseURL: `${gateway.origin}/v1`, apiKey: 'key-1' });
      const commands: unknown[] = [];
      const { text } = await generateText({
        model: provider('svc-max'),
        tools: {
          bash: provider.tools.bash_20250124({
            execute: ({ command }) => {
              commands.push(command);
              return 'notes';
            },
          }),
          web_search: provider.tools.webSearch_20250305(),
        },
        stopWhen: stepCountIs(3),
        prompt: 'Do it.',
        maxOutputTokens: 2000,
        maxRetries: 0,
      });
      expect([commands, text]).toEqual([['ls -a'], LAST_WORDS]);
    });
  },
);
