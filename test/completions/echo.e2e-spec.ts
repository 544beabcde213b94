import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, type ModelMessage, streamText } from 'ai';
import OpenAI from 'openai';
import {
  CLEAN,
  conversation,
  ECHO_SCENE,
  echoesUntilCorrected,
  endsWithCorrection,
  FILE,
  QUESTION,
  says,
  startEchoGateway,
  streamedText,
} from '../support/gateway/echo-rig.js';
import { type StubGateway } from '../support/gateway/stub-gateway.js';
import { TestsAtOnce } from '../support/watch/tests-at-once.js';
import { ENDPOINTS } from '../support/wire/endpoints.js';

type Ask = (baseURL: string, question?: string) => Promise<string>;

/** Unmodified libraries as their users call them, with the retries that they come with. */
const LIBRARIES = {
  'openai, streaming': async (baseURL: string, question?: string) => {
    const stream = await new OpenAI({ baseURL, apiKey: 'none' }).chat.completions.create({
      ...(conversation(question) as OpenAI.ChatCompletionCreateParamsStreaming),
      stream: true,
    });
    let text = '';
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
    }
    return text;
  },
  openai: async (baseURL: string, question?: string) => {
    const completion = await new OpenAI({ baseURL, apiKey: 'none' }).chat.completions.create({
      ...(conversation(question) as OpenAI.ChatCompletionCreateParamsNonStreaming),
      stream: false,
    });
    return completion.choices[0]?.message.content ?? '';
  },
  'AI SDK, streaming': async (baseURL: string, question?: string) => {
    const result = streamText({ model: aiModel(baseURL), messages: aiMessages(question) });
    let text = '';
    for await (const part of result.fullStream) {
      if (part.type === 'error') {
        throw part.error;
      }
      text += part.type === 'text-delta' ? part.text : '';
    }
    return text;
  },
  'AI SDK': async (baseURL: string, question?: string) =>
    (await generateText({ model: aiModel(baseURL), messages: aiMessages(question) })).text,
  'LangChain, streaming': async (baseURL: string, question?: string) => {
    let text = '';
    for await (const chunk of await langChain(baseURL, true).stream(langChainMessages(question))) {
      text += chunk.text;
    }
    return text;
  },
  LangChain: async (baseURL: string, question?: string) =>
    (await langChain(baseURL, false).invoke(langChainMessages(question))).text,
} satisfies Readonly<Record<string, Ask>>;
/** One of them leaves `stream` out when it wants none. */
const JSON_BY_DEFAULT = { STREAM_DEFAULT: 'false' } as const;

const [, [, MESSAGES], [, RESPONSES]] = ENDPOINTS;

/** The official clients of the other formats, with the retries that they come with. */
const OTHER_FORMATS = {
  '@anthropic-ai/sdk, streaming': (origin: string) =>
    new Anthropic({ baseURL: origin, apiKey: 'none' }).messages
      .stream(MESSAGES.conversation(ECHO_SCENE) as Anthropic.MessageCreateParamsNonStreaming)
      .finalText(),
  '@anthropic-ai/sdk': async (origin: string) => {
    const { content } = await new Anthropic({ baseURL: origin, apiKey: 'none' }).messages.create(
      MESSAGES.conversation(ECHO_SCENE) as Anthropic.MessageCreateParamsNonStreaming,
    );
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  },
  'openai’s responses, streaming': async (origin: string) => {
    const stream = new OpenAI({ baseURL: `${origin}/v1`, apiKey: 'none' }).responses.stream(
      RESPONSES.conversation(ECHO_SCENE),
    );
    return (await stream.finalResponse()).output_text;
  },
  'openai’s responses': async (origin: string) => {
    const { output_text: text } = await new OpenAI({
      baseURL: `${origin}/v1`,
      apiKey: 'none',
    }).responses.create(
      RESPONSES.conversation(ECHO_SCENE) as OpenAI.Responses.ResponseCreateParamsNonStreaming,
    );
    return text;
  },
} satisfies Readonly<Record<string, (origin: string) => Promise<string>>>;

/** Each test has a gateway of its own, and they run at once: libraries pause before they try again. */
describe('an answer that repeats a tool result', () => {
  const atOnce = new TestsAtOnce();

  const baseUrl = ({ origin }: StubGateway): string => `${origin}/v1`;
  /** Of each prompt upstream, whether the correction came last. */
  const corrected = ({ stub }: StubGateway): boolean[] =>
    stub.requests.map((request) => endsWithCorrection(request));
  const corrections = ({ entries }: StubGateway): (string | undefined)[] =>
    entries.flatMap(({ corrections = [] }) => corrections.map(({ cause, action }) => `${cause} ${action}`));

  describe.each(['native', 'emulated'] as const)('with %s tools', (TOOL_MODE) => {
    atOnce.each(Object.entries<Ask>(LIBRARIES))('is not seen by %s', async (name, ask) => {
      await using gateway = await startEchoGateway({ TOOL_MODE, ...JSON_BY_DEFAULT });
      expect(await ask(baseUrl(gateway))).toBe(CLEAN);
      expect(corrected(gateway)).toEqual([false, true]);
      expect(corrections(gateway)).toEqual([name.startsWith('AI SDK') ? 'echo regenerated' : 'echo dropped']);
    });
  });

  atOnce.each(Object.entries<Ask>(LIBRARIES))('is not seen by %s, whatever is forced', async (_name, ask) => {
    await using gateway = await startEchoGateway({ ECHO_ACTION: 'drop', ...JSON_BY_DEFAULT });
    expect(await ask(baseUrl(gateway))).toBe(CLEAN);
    gateway.settings.ECHO_ACTION = 'regenerate';
    expect(await ask(baseUrl(gateway), 'Is it fast?')).toBe(CLEAN);
    expect(corrected(gateway)).toEqual([false, true, false, true]);
    expect(corrections(gateway)).toEqual(['echo dropped', 'echo regenerated']);
  });

  atOnce.each<['auto' | 'drop']>([['auto'], ['drop']])(
    'is asked for again at its place among several (%s)',
    async (action) => {
      await using gateway = await startEchoGateway({ ECHO_ACTION: action });
      const client = new OpenAI({ baseURL: baseUrl(gateway), apiKey: 'none', maxRetries: 0 });
      const body = {
        ...conversation(),
        n: 2,
        stream: false,
      } as OpenAI.ChatCompletionCreateParamsNonStreaming;
      const { choices } = await client.chat.completions.create(body);
      expect(choices.map(({ message }) => message.content)).toEqual([CLEAN, CLEAN]);
      expect(corrected(gateway)).toEqual([false, true, false, true]);
    },
  );

  atOnce.it(
    'breaks the connection before any byte where dropping is forced, and corrects the next try',
    async () => {
      await using gateway = await startEchoGateway({ ECHO_ACTION: 'drop' });
      await expect(gateway.post(conversation())).rejects.toThrow('fetch failed');
      expect(gateway.lastEntry).toMatchObject({ corrections: [{ action: 'dropped' }] });
      expect(gateway.lastEntry?.status).toBeUndefined();
      expect(streamedText((await gateway.complete(conversation())).text)).toBe(CLEAN);
      expect(corrected(gateway)).toEqual([false, true]);
    },
  );

  atOnce.it('is not dropped once a heartbeat has gone out', async () => {
    await using gateway = await startEchoGateway({ ECHO_ACTION: 'drop', HEARTBEAT_AFTER_MS: 20 });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    gateway.stub.answerNextWith(async (reply) => {
      await released;
      await echoesUntilCorrected()(reply);
    });
    const response = await gateway.post(conversation());
    release();
    expect(streamedText(await response.text())).toBe(CLEAN);
    expect(corrections(gateway)).toEqual(['echo regenerated']);
  });

  atOnce.it('corrects nobody but the caller and the conversation that it was dropped for', async () => {
    await using gateway = await startEchoGateway({ ECHO_ACTION: 'drop' });
    const as = (agent: string): RequestInit => ({ headers: { 'user-agent': agent } });
    await expect(gateway.post(conversation(), as('one'))).rejects.toThrow('fetch failed');
    await expect(gateway.post(conversation('Is it fast?'), as('one'))).rejects.toThrow('fetch failed');
    await expect(gateway.post(conversation(), as('two'))).rejects.toThrow('fetch failed');
    expect(corrected(gateway)).toEqual([false, false, false]);
    await gateway.complete(conversation(), as('one'));
    await gateway.complete(conversation('Is it fast?'), as('one'));
    await gateway.complete(conversation(), as('two'));
    expect(corrected(gateway)).toEqual([false, false, false, true, true, true]);
  });

  atOnce.it('passes after two corrected tries, and the log says so', async () => {
    await using gateway = await startEchoGateway();
    gateway.stub.answerWith(says(FILE));
    expect(streamedText((await gateway.complete(conversation())).text)).toBe(FILE);
    expect(corrected(gateway)).toEqual([false, true, true]);
    expect(corrections(gateway)).toEqual(['echo regenerated', 'echo regenerated', 'echo passed']);
    expect(gateway.lastEntry).toMatchObject({ outcome: 'ok', status: 200 });
  });

  atOnce.it('passes after two corrected tries of a library, of which it sees one', async () => {
    await using gateway = await startEchoGateway();
    gateway.stub.answerWith(says(FILE));
    expect(await LIBRARIES['openai, streaming'](baseUrl(gateway))).toBe(FILE);
    expect(corrections(gateway)).toEqual(['echo dropped', 'echo regenerated', 'echo passed']);
  });

  atOnce.it('passes after two dropped tries where dropping is forced', async () => {
    await using gateway = await startEchoGateway({ ECHO_ACTION: 'drop' });
    gateway.stub.answerWith(says(FILE));
    expect(await LIBRARIES['openai, streaming'](baseUrl(gateway))).toBe(FILE);
    expect(corrections(gateway)).toEqual(['echo dropped', 'echo dropped', 'echo passed']);
  });

  atOnce.it('is gone on with where its beginning was right', async () => {
    await using gateway = await startEchoGateway();
    const beginning = `${'The file has one line for every third year, and each of them calls the same function. '.repeat(6)}\n`;
    gateway.stub.answerWith(echoesUntilCorrected(beginning));
    const text = streamedText((await gateway.complete(conversation())).text);
    expect(text.endsWith(CLEAN)).toBe(true);
    expect(beginning.startsWith(text.slice(0, -CLEAN.length))).toBe(true);
    expect(text.length).toBeGreaterThan(400);
    const messages = gateway.stub.requests[1]?.body.messages ?? [];
    expect(messages.at(-2)).toMatchObject({ role: 'assistant', content: text.slice(0, -CLEAN.length) });
    expect(gateway.stub.requests.map((request) => endsWithCorrection(request, true))).toEqual([false, true]);
  });

  atOnce.each([
    ['the guard is off', { ECHO_ACTION: 'off' } as const, QUESTION, FILE],
    ['the user asks for the file', {}, 'Show me the file.', FILE],
    ['it is not one', {}, QUESTION, `It begins with \`${FILE.slice(0, 60)}\`. ${CLEAN}`],
  ])('passes at once if %s', async (_what, settings, question, said) => {
    await using gateway = await startEchoGateway(settings);
    gateway.stub.answerWith(says(said));
    expect(streamedText((await gateway.complete(conversation(question))).text)).toBe(said);
    expect(corrected(gateway)).toEqual([false]);
    expect(corrections(gateway)).toEqual([]);
  });
});

/** Whatever the format: the same gateway throughout, since nothing of one request may be left for the next. */
describe('an answer that repeats a tool result, at every endpoint', () => {
  let gateway: StubGateway;

  beforeAll(async () => {
    gateway = await startEchoGateway();
  });

  beforeEach(() => {
    gateway.stub.requests.length = 0;
  });

  afterAll(() => gateway.close());

  const corrected = (): boolean[] => gateway.stub.requests.map((request) => endsWithCorrection(request));

  describe.each(['native', 'emulated'] as const)('with %s tools', (mode) => {
    beforeEach(() => {
      gateway.settings.TOOL_MODE = mode;
    });

    it.each(ENDPOINTS.flatMap((endpoint) => [true, false].map((stream) => [...endpoint, stream] as const)))(
      'is answered anew within one response of %s (%#)',
      async (path, endpoint, stream) => {
        const body = { ...endpoint.conversation(ECHO_SCENE), stream };
        const { status, text } = await gateway.complete(body, {}, path);
        expect([status, stream ? endpoint.streamedText(text) : endpoint.text(text)]).toEqual([200, CLEAN]);
        expect(text).not.toContain('daysIn');
        expect(corrected()).toEqual([false, true]);
        expect(gateway.lastEntry?.corrections).toMatchObject([{ cause: 'echo', action: 'regenerated' }]);
      },
    );
  });

  it('is answered anew behind a reminder beside the result, too', async () => {
    const asked = MESSAGES.conversation(ECHO_SCENE) as Anthropic.MessageCreateParamsNonStreaming;
    (asked.messages.at(-1)?.content as object[]).push({
      type: 'text',
      text: '<system-reminder>The list of tasks is empty.</system-reminder>',
    });
    const { text } = await gateway.complete({ ...asked, stream: false }, {}, MESSAGES.path);
    expect(MESSAGES.text(text)).toBe(CLEAN);
    expect(gateway.lastEntry?.excerpt).toBe(QUESTION);
  });

  describe.each(['auto', 'drop'] as const)('with ECHO_ACTION %s', (setting) => {
    beforeEach(() => {
      gateway.settings.TOOL_MODE = undefined;
      gateway.settings.ECHO_ACTION = setting;
    });

    it.each(Object.entries(OTHER_FORMATS))(
      'is dropped for %s, whose retry is corrected',
      async (_name, ask) => {
        const before = gateway.entries.length;
        expect(await ask(gateway.origin)).toBe(CLEAN);
        expect(corrected()).toEqual([false, true]);
        const corrections = gateway.entries.slice(before).flatMap((entry) => entry.corrections ?? []);
        expect(corrections).toMatchObject([{ cause: 'echo', action: 'dropped' }]);
      },
    );
  });
});

function aiModel(baseURL: string): ReturnType<ReturnType<typeof createOpenAICompatible>> {
  return createOpenAICompatible({ name: 'gateway', baseURL, fetch: fetchOfThisRealm })('svc-max-no-thinking');
}

/** The library repeats a `TypeError` of its own realm only; in Jest, that of `fetch` is from another. */
async function fetchOfThisRealm(...args: Parameters<typeof fetch>): Promise<Response> {
  try {
    return await fetch(...args);
  } catch (error) {
    throw new TypeError((error as Error).message, { cause: error });
  }
}

function aiMessages(question = QUESTION): ModelMessage[] {
  const call = { toolCallId: 'call_1', toolName: 'read' };
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: 'src/days.ts' } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: FILE } }] },
  ];
}

function langChain(baseURL: string, streaming: boolean): ChatOpenAI {
  return new ChatOpenAI({
    model: 'svc-max-no-thinking',
    apiKey: 'none',
    streaming,
    configuration: { baseURL },
  });
}

function langChainMessages(question = QUESTION): (HumanMessage | AIMessage | ToolMessage)[] {
  return [
    new HumanMessage(question),
    new AIMessage({
      content: '',
      tool_calls: [{ id: 'call_1', name: 'read', args: { path: 'src/days.ts' } }],
    }),
    new ToolMessage({ tool_call_id: 'call_1', content: FILE }),
  ];
}
