import {
  ApiError,
  type Content,
  type FunctionDeclaration,
  type GenerateContentConfig,
  type GenerateContentResponse,
  GoogleGenAI,
  type Part,
} from '@google/genai';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  AgentWorkspace,
  READ_FILE,
  type ReadFile,
  WRITE_FILE,
  type WriteFile,
} from '../support/gateway/agent-workspace.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, endless, failed, rateLimited, resets } from '../support/upstream/openai-stub-plans.js';
import { ScriptedModel } from '../support/upstream/scripted-model.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const PATH = 'notes/page.html';
const CONTENT = '<p>It\'s "here"</p>\n\tC:\\new 😀\n';
const STEPS = [
  ['write_file', { path: PATH, content: CONTENT }],
  ['read_file', { path: PATH }],
] as const;
const LAST_WORDS = 'The page is written.';
const USAGE = {
  prompt_tokens: 30,
  completion_tokens: 20,
  completion_tokens_details: { reasoning_tokens: 5 },
  prompt_tokens_details: { cached_tokens: 10 },
};
const MESSAGES = [{ role: 'user', content: 'Hi' }];
const ASK = { model: 'svc-max', contents: 'Hi' };

let gateway: StubGateway;

async function start(settings: Parameters<typeof StubGateway.start>[0] = {}): Promise<void> {
  gateway = await StubGateway.start({ API_KEY: 'key-1', RETRY_MAX_ATTEMPTS: 1, ...settings });
}

function client(apiKey = 'key-1'): GoogleGenAI {
  return new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.origin } });
}

function sent(): Readonly<Record<string, unknown>> | undefined {
  return gateway.stub.requests.at(-1)?.body;
}

async function failureOf(asking: Promise<unknown>): Promise<ApiError> {
  const failure: unknown = await asking.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  return failure as ApiError;
}

afterEach(() => gateway.close());

describe('@google/genai', () => {
  it('gets a whole answer', async () => {
    await start();
    gateway.stub.answerWith(answer({ reasoning: ['Hm.'], pieces: ['Hel', 'lo.'], usage: USAGE }));
    const config: GenerateContentConfig = {
      systemInstruction: 'Be brief.',
      temperature: 0.5,
      topK: 40,
      maxOutputTokens: 9,
      stopSequences: ['END'],
      thinkingConfig: { includeThoughts: true, thinkingBudget: 4096 },
    };
    const found = await client().models.generateContent({ ...ASK, config });
    expect(found.text).toBe('Hello.');
    expect(found).toMatchObject({
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: 'Hello.' }] },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      modelVersion: 'svc-max',
      usageMetadata: {
        promptTokenCount: 30,
        candidatesTokenCount: 15,
        thoughtsTokenCount: 5,
        cachedContentTokenCount: 10,
        totalTokenCount: 50,
      },
    });
    expect(sent()).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, ...MESSAGES],
      temperature: 0.5,
      top_k: 40,
      max_tokens: 9,
      stop: ['END'],
      reasoning_effort: 'high',
    });
  });

  it.each([true, false])('adds a stream up to the same, with its thoughts: %s', async (includeThoughts) => {
    await start();
    gateway.stub.answerWith(answer({ reasoning: ['H', 'm.'], pieces: ['Hel', 'lo.'], usage: USAGE }));
    const config = { thinkingConfig: { includeThoughts } };
    const chunks = await chunksOf({ ...ASK, config });
    const parts = chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    const texts = (isThought: boolean): string =>
      parts
        .filter(({ thought = false }) => thought === isThought)
        .map(({ text }) => text)
        .join('');
    expect([texts(true), texts(false)]).toEqual([includeThoughts ? 'Hm.' : '', 'Hello.']);
    const ends = chunks.filter(({ candidates }) => candidates?.[0]?.finishReason !== undefined);
    expect(ends).toMatchObject([
      { candidates: [{ finishReason: 'STOP' }], usageMetadata: { totalTokenCount: 50 } },
    ]);
    expect(chunks.map(({ text }) => text).every((text) => includeThoughts || typeof text === 'string')).toBe(
      true,
    );
  });

  it('keeps a chat', async () => {
    await start();
    gateway.stub.answerWith(answer({ pieces: ['Hel', 'lo.'] }));
    const chat = client().chats.create({ model: 'svc-max' });
    for await (const { text } of await chat.sendMessageStream({ message: 'Hi' })) {
      expect(typeof text).toBe('string');
    }
    await chat.sendMessage({ message: 'And?' });
    expect(sent()?.messages).toEqual([
      ...MESSAGES,
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'And?' },
    ]);
  });

  it('gets JSON by a schema', async () => {
    await start();
    gateway.stub.answerWith(answer({ pieces: ['{"a"', ':1}'] }));
    const config: GenerateContentConfig = {
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
    };
    expect((await client().models.generateContent({ ...ASK, config })).text).toBe('{"a":1}');
    gateway.stub.answerWith(answer({ pieces: ['{"b":1}'] }));
    expect((await failureOf(client().models.generateContent({ ...ASK, config }))).status).toBe(500);
  });

  it('shows images to the model', async () => {
    await start();
    gateway.stub.answerWith(answer({ pieces: ['A cat.'] }));
    const image = { inlineData: { mimeType: 'image/jpeg', data: '/9j/4A==' } };
    await client().models.generateContent({ ...ASK, contents: ['What is it?', image] });
    expect(sent()?.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/4A==' } },
        ],
      },
    ]);
  });

  describe.each(['native', 'emulated'] as const)('with %s calls', (mode) => {
    let workspace: AgentWorkspace;

    beforeEach(async () => {
      await start({ TOOL_MODE: mode });
      const calls = STEPS.map(([name, input]) => ({ name, input }));
      new ScriptedModel(mode === 'native', calls, LAST_WORDS).serve(gateway.stub);
      workspace = await AgentWorkspace.create();
    });

    afterEach(() => workspace.remove());

    it.each([false, true])('runs its loop of tools, streamed: %s', async (stream) => {
      const contents: Content[] = [{ role: 'user', parts: [{ text: 'Write the page.' }] }];
      let said: Part[];
      do {
        said = await ask(contents, stream);
        contents.push({ role: 'model', parts: said });
        const results = await Promise.all(said.map((part) => resultOf(workspace, part)));
        // The library's documentation for Python has this role.
        contents.push({ role: stream ? 'tool' : 'user', parts: results.flat() });
      } while (said.some(({ functionCall }) => functionCall));
      expect(said.map(({ text }) => text).join('')).toBe(LAST_WORDS);
      expect(workspace.calls).toEqual(STEPS);
      expect(await workspace.contentOf(PATH)).toBe(CONTENT);
    });
  });

  it('lists models, and counts tokens', async () => {
    await start();
    const names: unknown[] = [];
    for await (const { name } of await client().models.list()) {
      names.push(name);
    }
    expect(names).toContain('models/svc-max');
    expect(await client().models.get({ model: 'svc-max' })).toMatchObject({
      name: 'models/svc-max',
      inputTokenLimit: expect.any(Number),
    });
    const { totalTokens = 0 } = await client().models.countTokens(ASK);
    expect(totalTokens).toBeGreaterThan(0);
  });

  it('gets errors in its format', async () => {
    await start();
    const asking = (changes: object, key?: string): Promise<ApiError> =>
      failureOf(client(key).models.generateContent({ ...ASK, ...changes }));
    expect(await asking({}, 'wrong')).toMatchObject({
      status: 401,
      message: expect.stringContaining('UNAUTHENTICATED'),
    });
    expect(await asking({ model: 'none' })).toMatchObject({
      status: 404,
      message: expect.stringContaining('NOT_FOUND'),
    });
    await eventually(PATIENCE_MS, () =>
      expect(gateway.lastEntry).toMatchObject({ operation: 'completion', model: 'none', status: 404 }),
    );
    expect(await asking({ config: { temperature: 9 } })).toMatchObject({
      status: 400,
      message: expect.stringContaining('generationConfig.temperature'),
    });
    gateway.stub.answerWith(failed(500));
    expect(await asking({})).toMatchObject({ status: 500, message: expect.stringContaining('INTERNAL') });
    gateway.stub.answerWith(rateLimited({ retryAfter: '60' }));
    expect(await asking({})).toMatchObject({
      status: 429,
      message: expect.stringMatching(/RESOURCE_EXHAUSTED.*"retryDelay":"\d+s"/),
    });
  });

  it('never takes a broken stream for a whole answer', async () => {
    await start();
    gateway.stub.answerWith(resets(2));
    await expect(chunksOf(ASK)).rejects.toThrow();
  });

  it('stops the model when it leaves', async () => {
    await start();
    gateway.stub.answerWith(endless(5));
    const leaving = new AbortController();
    await expect(async () => {
      const config = { abortSignal: leaving.signal };
      for await (const { text } of await client().models.generateContentStream({ ...ASK, config })) {
        expect(typeof text).toBe('string');
        leaving.abort();
      }
    }).rejects.toThrow('abort');
    await eventually(PATIENCE_MS, () => expect(gateway.lastEntry?.outcome).toBe('cancelled'));
  });
});

async function chunksOf(
  asked: Parameters<GoogleGenAI['models']['generateContentStream']>[0],
): Promise<GenerateContentResponse[]> {
  const chunks: GenerateContentResponse[] = [];
  for await (const chunk of await client().models.generateContentStream(asked)) {
    chunks.push(chunk);
  }
  return chunks;
}

async function ask(contents: Content[], stream: boolean): Promise<Part[]> {
  const functionDeclarations: FunctionDeclaration[] = [WRITE_FILE, READ_FILE].map(
    ({ parameters, ...tool }) => ({
      ...tool,
      parametersJsonSchema: parameters,
    }),
  );
  const asked = { model: 'svc-max', contents, config: { tools: [{ functionDeclarations }] } };
  const chunks = stream ? await chunksOf(asked) : [await client().models.generateContent(asked)];
  return chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
}

/** The result of a call, as a part; none for other parts. */
async function resultOf(workspace: AgentWorkspace, { functionCall }: Part): Promise<Part[]> {
  if (!functionCall) {
    return [];
  }
  const { name, args } = functionCall;
  const output =
    name === 'write_file'
      ? await workspace.writeFile(args as unknown as WriteFile)
      : await workspace.readFile(args as unknown as ReadFile);
  return [{ functionResponse: { name, response: { output } } }];
}
