import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY, ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { OllamaModule } from './ollama.module.js';

const CHAT = { model: 'svc-max', messages: [{ role: 'user', content: 'Hello?' }], stream: false };
const GENERATION = { model: 'svc-max', prompt: 'Hello?', stream: false };
const END = { model: 'svc-max', done: true, done_reason: 'stop', eval_count: 1 };

describe('OllamaController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(OllamaModule);
  });

  afterAll(() => app.close());

  describeRoutes(
    () => app,
    {
      'POST /api/chat': {
        bad: [
          [{ ...CHAT, model: 5 }, 'model'],
          [{ ...CHAT, stream: 'no' }, 'stream'],
          [{ ...CHAT, options: { temperature: 'hot' } }, 'options.temperature'],
          [{ ...CHAT, format: 'xml' }, 'format'],
          [{ ...CHAT, think: 1 }, 'think'],
          [{ ...CHAT, messages: [{ role: 'cook', content: '' }] }, 'messages[0].role'],
          [{ ...CHAT, messages: [{ role: 'user', content: '', images: [5] }] }, 'messages[0].images[0]'],
          [{ ...CHAT, tools: [{ type: 'function' }] }, 'tools[0]'],
        ],
        good: { input: CHAT, body: { ...END, message: { role: 'assistant', content: 'hi' } } },
      },
      'POST /api/generate': {
        bad: [
          [{ ...GENERATION, prompt: 5 }, 'prompt'],
          [{ ...GENERATION, suffix: 'the end' }, 'suffix'],
          [{ ...GENERATION, images: 'AAAA' }, 'images'],
        ],
        good: { input: GENERATION, body: { ...END, response: 'hi' } },
      },
      'POST /api/show': {
        bad: [[{ name: '' }, 'model']],
        good: { input: { name: 'svc-max:latest' }, body: { details: { family: 'gateway' } } },
      },
      'GET /api/tags': { good: { body: { models: [{ name: 'svc-max' }, {}, {}, {}] } } },
      'GET /api/ps': { good: { body: { models: [] } } },
      'GET /api/version': { good: { body: { version: '0.12.6' } } },
    },
    (_code, param) => ({ error: expect.stringContaining(param ?? '') }),
  );

  it.each([
    [0, 'unload'],
    ['0s', 'unload'],
    ['5m', 'load'],
    [{ toString: 5 }, 'load'],
  ])('says of a request without a prompt, to be kept for %j, that it was done: %s', async (time, done) => {
    const { status, body } = await app.ask('POST', '/api/generate', {
      body: { ...GENERATION, prompt: '', keep_alive: time },
    });
    expect([status, body]).toMatchObject([200, { done_reason: done }]);
  });

  it.each([undefined, 'application/x-www-form-urlencoded', 'text/plain'])(
    'takes a body of the type %j from programs, as Ollama does, and from no page',
    async (type) => {
      const statusWith = async (headers: Record<string, string>): Promise<number> => {
        const answer = await fetch(`${app.origin}/api/chat`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${API_KEY}`,
            ...(type !== undefined && { 'content-type': type }),
            ...headers,
          },
          // To bytes, other than to a text, `fetch` gives no type.
          body: Buffer.from(JSON.stringify(CHAT)),
        });
        await answer.arrayBuffer();
        return answer.status;
      };
      expect(await statusWith({})).toBe(200);
      expect(await statusWith({ origin: app.origin })).toBe(415);
      expect(await statusWith({ 'sec-fetch-site': 'same-origin' })).toBe(415);
    },
  );

  it('streams unless asked not to, a JSON text a line', async () => {
    const { headers, text } = await app.ask('POST', '/api/chat', { body: { ...CHAT, stream: undefined } });
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    const lines = text.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { message: { role: 'assistant', content: 'hi' }, done: false },
      { ...END, message: { role: 'assistant', content: '' } },
    ]);
  });

  it.each([
    ['an unknown model', '/api/chat', { ...CHAT, model: 'none:latest' }, 404],
    ['an unknown model', '/api/show', { model: 'none' }, 404],
  ])('refuses %s at %s', async (_what, path, body, status) => {
    expect(await app.ask('POST', path, { body })).toMatchObject({
      status,
      body: { error: expect.any(String) },
    });
  });
});
