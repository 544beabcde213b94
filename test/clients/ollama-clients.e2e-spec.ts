import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Message, Ollama } from 'ollama';
import {
  AgentWorkspace,
  READ_FILE,
  type ReadFile,
  WRITE_FILE,
  type WriteFile,
} from '../support/gateway/agent-workspace.js';
import { StubGateway } from '../support/gateway/stub-gateway.js';
import { answer, endless, failed } from '../support/upstream/openai-stub-plans.js';
import { ScriptedModel } from '../support/upstream/scripted-model.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';

const PATH = 'notes/page.html';
const CONTENT = '<p>It\'s "here"</p>\n\tC:\\new 😀\n';
const STEPS = [
  ['write_file', { path: PATH, content: CONTENT }],
  ['read_file', { path: PATH }],
] as const;
const LAST_WORDS = 'The page is written.';
const USAGE = { prompt_tokens: 30, completion_tokens: 20 };
const MESSAGES = [{ role: 'user', content: 'Hi' }];

let gateway: StubGateway;

async function start(settings: Parameters<typeof StubGateway.start>[0] = {}): Promise<void> {
  gateway = await StubGateway.start({ API_KEY: 'key-1', RETRY_MAX_ATTEMPTS: 1, ...settings });
}

function client(key = 'key-1'): Ollama {
  return new Ollama({ host: gateway.origin, headers: { authorization: `Bearer ${key}` } });
}

afterEach(() => gateway.close());

describe('ollama', () => {
  it('gets a whole answer', async () => {
    await start();
    gateway.stub.answerWith(answer({ reasoning: ['Hm.'], pieces: ['Hel', 'lo.'], usage: USAGE }));
    const options = { temperature: 0.5, num_predict: 9, num_ctx: 4096, stop: ['END'], repeat_penalty: 1.1 };
    const asked = { model: 'svc-max:latest', messages: MESSAGES, options };
    const found = await client().chat({ ...asked, stream: false });
    expect(found).toEqual({
      model: 'svc-max',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      message: { role: 'assistant', content: 'Hello.', thinking: 'Hm.' },
      done: true,
      done_reason: 'stop',
      total_duration: expect.any(Number),
      load_duration: 0,
      prompt_eval_count: 30,
      prompt_eval_duration: expect.any(Number),
      eval_count: 20,
      eval_duration: expect.any(Number),
    });
    expect(gateway.stub.requests.at(-1)?.body).toMatchObject({
      messages: MESSAGES,
      temperature: 0.5,
      max_tokens: 9,
      stop: ['END'],
      repetition_penalty: 1.1,
    });
  });

  it('adds a stream up to the same', async () => {
    await start();
    gateway.stub.answerWith(answer({ reasoning: ['H', 'm.'], pieces: ['Hel', 'lo.'], usage: USAGE }));
    const said = { thinking: '', content: '' };
    const ends: object[] = [];
    for await (const part of await client().chat({ model: 'svc-max', messages: MESSAGES, stream: true })) {
      said.thinking += part.message.thinking ?? '';
      said.content += part.message.content;
      if (part.done) {
        ends.push(part);
      }
    }
    expect(said).toEqual({ thinking: 'Hm.', content: 'Hello.' });
    expect(ends).toMatchObject([{ done_reason: 'stop', prompt_eval_count: 30, eval_count: 20 }]);
  });

  it('generates from a prompt', async () => {
    await start();
    gateway.stub.answerWith(answer({ pieces: ['{"a"', ':1}'] }));
    const asked = { model: 'svc-max', system: 'Be brief.', prompt: 'Say it.', format: 'json', think: false };
    const whole = await client().generate({ ...asked, stream: false });
    expect(whole).toMatchObject({ response: '{"a":1}', done: true, done_reason: 'stop' });
    const texts: string[] = [];
    for await (const { response } of await client().generate({ ...asked, stream: true })) {
      texts.push(response ?? '');
    }
    expect(texts.join('')).toBe('{"a":1}');
    expect(gateway.stub.requests.at(-1)?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Say it.' },
      ],
      response_format: { type: 'json_object' },
    });
  });

  it('shows images to the model', async () => {
    await start();
    gateway.stub.answerWith(answer({ pieces: ['A cat.'] }));
    const images = [Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])];
    await client().chat({ model: 'svc-max', messages: [{ role: 'user', content: 'What is it?', images }] });
    expect(gateway.stub.requests.at(-1)?.body.messages).toEqual([
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
      const messages: Message[] = [...MESSAGES];
      for (let isOver = false; !isOver;) {
        const said = await ask(messages, stream);
        messages.push(said);
        for (const { function: called } of said.tool_calls ?? []) {
          messages.push({
            role: 'tool',
            tool_name: called.name,
            content: await run(workspace, called),
          });
        }
        isOver = said.tool_calls === undefined;
      }
      expect(messages.at(-1)?.content).toBe(LAST_WORDS);
      expect(workspace.calls).toEqual(STEPS);
      expect(await workspace.contentOf(PATH)).toBe(CONTENT);
    });
  });

  it('lists models, and says what each takes', async () => {
    await start({ UPSTREAM_MODEL: 'any' });
    gateway.stub.answerWith(answer({ pieces: ['Hi.'] }));
    const { models } = await client().list();
    expect(models.length).toBeGreaterThan(0);
    const [{ name, digest } = { name: '', digest: '' }] = models;
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await client().show({ model: name })).toMatchObject({
      capabilities: ['completion', 'tools', 'thinking'],
      model_info: { 'general.architecture': 'gateway', 'gateway.context_length': expect.any(Number) },
    });
    expect((await client().ps()).models).toEqual([]);
    expect((await client().version()).version).toMatch(/^0\.\d+\.\d+$/);
  });

  it('has nothing to load or unload', async () => {
    await start();
    const unused = { model: 'svc-max', prompt: '', stream: false } as const;
    expect(await client().generate(unused)).toMatchObject({ response: '', done_reason: 'load' });
    expect(await client().generate({ ...unused, keep_alive: '0s' })).toMatchObject({ done_reason: 'unload' });
    expect(gateway.stub.requests).toEqual([]);
  });

  it('gets errors in its format, before an answer and within', async () => {
    await start();
    await expect(client('wrong').list()).rejects.toMatchObject({
      name: 'ResponseError',
      status_code: 401,
      error: expect.stringContaining('key'),
    });
    const asked = { model: 'none', messages: MESSAGES };
    await expect(client().chat(asked)).rejects.toMatchObject({ status_code: 404 });
    gateway.stub.answerWith(failed(500));
    await expect(client().chat({ ...asked, model: 'svc-max' })).rejects.toMatchObject({
      name: 'ResponseError',
      error: expect.stringContaining('upstream'),
    });
  });

  it('stops the model when it leaves', async () => {
    await start();
    gateway.stub.answerWith(endless(5));
    const leaving = client();
    await expect(async () => {
      for await (const part of await leaving.chat({ model: 'svc-max', messages: MESSAGES, stream: true })) {
        expect(part.done).toBe(false);
        leaving.abort();
      }
    }).rejects.toThrow('aborted');
    await eventually(PATIENCE_MS, () => expect(gateway.lastEntry?.outcome).toBe('cancelled'));
  });
});

async function ask(messages: Message[], stream: boolean): Promise<Message> {
  const tools = [WRITE_FILE, READ_FILE].map((tool) => ({ type: 'function', function: tool }));
  const asked = { model: 'svc-max', messages, tools };
  if (!stream) {
    return (await client().chat({ ...asked, stream: false })).message;
  }
  const said: Message = { role: 'assistant', content: '' };
  for await (const { message } of await client().chat({ ...asked, stream: true })) {
    said.content += message.content;
    said.tool_calls = message.tool_calls ?? said.tool_calls;
  }
  return said;
}

function run(
  workspace: AgentWorkspace,
  { name, arguments: input }: { name: string; arguments: object },
): Promise<string> {
  return name === 'write_file'
    ? workspace.writeFile(input as WriteFile)
    : workspace.readFile(input as ReadFile);
}
