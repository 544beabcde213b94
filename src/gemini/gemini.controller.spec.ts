import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY, ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { GeminiModule } from './gemini.module.js';

const BODY = { contents: [{ role: 'user', parts: [{ text: 'Hello?' }] }] };
const MODEL = '/v1beta/models/svc-max';
const ANSWER = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
  modelVersion: 'svc-max',
};
const BAD = [
  [{}, 'contents'],
  [{ contents: [{ role: 'cook' }] }, 'contents[0].role'],
  [{ ...BODY, cachedContent: 'cachedContents/a' }, 'cachedContent'],
  [{ ...BODY, generationConfig: { topP: 2 } }, 'generationConfig.topP'],
  [{ ...BODY, tools: [{ googleSearch: {} }] }, 'tools'],
] as const;

describe('GeminiController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(GeminiModule);
  });

  afterAll(() => app.close());

  describeRoutes(
    () => app,
    {
      [`POST ${MODEL}:generateContent`]: { bad: BAD, good: { input: BODY, body: ANSWER } },
      [`POST ${MODEL}:streamGenerateContent`]: { bad: BAD, good: { input: BODY } },
      [`POST ${MODEL}:countTokens`]: {
        bad: [
          [{}, 'contents'],
          [{ generateContentRequest: 5 }, 'generateContentRequest'],
        ],
        good: { input: { generateContentRequest: BODY }, body: { totalTokens: expect.any(Number) } },
      },
      'POST /v1/models/svc-max:generateContent': { bad: BAD, good: { input: BODY, body: ANSWER } },
      'GET /v1beta/models': { good: { body: { models: [{ name: 'models/svc-max' }, {}, {}, {}] } } },
      [`GET ${MODEL}`]: {
        good: {
          body: { name: 'models/svc-max', supportedGenerationMethods: ['generateContent', 'countTokens'] },
        },
      },
    },
    (code, param) => ({
      error: {
        status: code === 'invalid_api_key' ? 'UNAUTHENTICATED' : 'INVALID_ARGUMENT',
        ...(param !== undefined && { message: expect.stringContaining(`${param} `) }),
      },
    }),
  );

  it('streams events, or an array of the same', async () => {
    const events = await app.ask('POST', `${MODEL}:streamGenerateContent?alt=sse`, { body: BODY });
    expect(events.headers.get('content-type')).toContain('text/event-stream');
    expect(events.text.trim()).toMatch(/^data: \{.*\}\n\ndata: \{.*"finishReason":"STOP".*\}$/);
    const array = await app.ask('POST', `${MODEL}:streamGenerateContent`, { body: BODY });
    expect(array.body).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'hi' }] } }] },
      { candidates: [{ finishReason: 'STOP' }] },
    ]);
  });

  it.each([
    ['POST', '/v1beta/models/none:generateContent', 404],
    ['POST', '/v1beta/models/vendor/none:generateContent', 404],
    ['GET', '/v1beta/models/vendor/none', 404],
    ['POST', `${MODEL}:embedContent`, 404],
  ])('answers %s %s with %i', async (method, path, status) => {
    const body = method === 'POST' ? BODY : undefined;
    expect(await app.ask(method, path, { body })).toMatchObject({
      status,
      body: { error: { status: 'NOT_FOUND' } },
    });
  });

  it('lists the models for its clients where others have theirs', async () => {
    const headers = { 'x-goog-api-key': API_KEY };
    expect((await app.ask('GET', '/v1/models', { headers })).body).toEqual(
      (await app.ask('GET', '/v1beta/models')).body,
    );
    expect((await app.ask('GET', '/v1/models/svc-max', { headers })).body).toEqual(
      (await app.ask('GET', MODEL)).body,
    );
    expect((await app.ask('GET', '/v1/models/none', { headers })).body).toMatchObject({
      error: { status: 'NOT_FOUND' },
    });
    expect((await app.ask('GET', '/v1/models/none')).body).toMatchObject({ error: { param: 'model' } });
  });

  it('takes the key as clients of the API send it, but not in the address', async () => {
    const headers = { 'x-goog-api-key': API_KEY };
    expect((await app.ask('GET', MODEL, { key: '', headers })).status).toBe(200);
    expect((await app.ask('GET', `${MODEL}?key=${API_KEY}`, { key: '' })).status).toBe(401);
  });
});
