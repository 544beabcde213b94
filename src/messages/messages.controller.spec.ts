import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstValueFrom } from 'rxjs';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { type ScriptedDriver } from '../../test/support/upstream/scripted-driver.js';
import { LogsService } from '../logs/logs.service.js';
import { UpstreamDriver } from '../upstream/upstream-driver.js';
import { MessagesModule } from './messages.module.js';

const COUNT = { model: 'svc-max', messages: [{ role: 'user', content: 'Hello?' }] };
const ASK = { ...COUNT, max_tokens: 100 };
const TYPES: Readonly<Record<string, string>> = {
  invalid_api_key: 'authentication_error',
  invalid_request: 'invalid_request_error',
};

describe('MessagesController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(MessagesModule);
  });

  afterAll(() => app.close());

  describeRoutes(
    () => app,
    {
      'POST /v1/messages': {
        bad: [
          [{ ...ASK, model: 5 }, 'model'],
          [COUNT, 'max_tokens'],
          [{ ...ASK, temperature: 1.5 }, 'temperature'],
          [{ ...ASK, messages: [] }, 'messages'],
          [{ ...ASK, messages: [{ role: 'tool', content: '' }] }, 'messages[0].role'],
          [{ ...ASK, tools: [{ name: 'a' }] }, 'tools[0].input_schema'],
        ],
        good: {
          input: ASK,
          body: {
            type: 'message',
            role: 'assistant',
            model: 'svc-max',
            content: [{ type: 'text', text: 'hi' }],
            stop_reason: 'end_turn',
            stop_sequence: null,
          },
        },
      },
      'POST /v1/messages/count_tokens': {
        bad: [
          [{ ...COUNT, messages: undefined }, 'messages'],
          [{ ...COUNT, thinking: 'on' }, 'thinking'],
        ],
        good: { input: COUNT, body: { input_tokens: 2 } },
      },
    },
    (code, param) => ({
      type: 'error',
      error: { type: TYPES[code], message: expect.stringContaining(param ?? '') },
      request_id: expect.stringMatching(/^req_/),
    }),
  );

  it('takes the key and the headers of the format’s clients', async () => {
    const { status, headers, body } = await app.ask('POST', '/v1/messages?beta=true', {
      key: '',
      body: ASK,
      headers: {
        'x-api-key': 'key-of-the-gateway',
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'interleaved-thinking-2025-05-14,context-management-2025-06-27',
      },
    });
    expect([status, body]).toMatchObject([200, { type: 'message' }]);
    expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
  });

  it('streams only where asked', async () => {
    const { headers, text } = await app.ask('POST', '/v1/messages', { body: { ...ASK, stream: true } });
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(text).toMatch(/^: heartbeat\n\nevent: message_start\n[^]*event: message_stop\ndata: .*\n\n$/);
  });

  it.each([
    ['another method', 'GET', {}, 405, 'invalid_request_error'],
    ['a body of text', 'POST', { headers: { 'content-type': 'text/plain' } }, 415, 'invalid_request_error'],
    ['a page of another site', 'POST', { headers: { origin: 'http://evil.test' } }, 403, 'permission_error'],
    ['an unknown model', 'POST', { body: { ...ASK, model: 'none' } }, 404, 'not_found_error'],
    ['too large a body', 'POST', { body: 'x'.repeat(33 * 2 ** 20) }, 413, 'request_too_large'],
  ])('refuses %s in its format', async (_what, method, options, status, type) => {
    const body = method === 'POST' ? { body: ASK, ...options } : {};
    const answer = await app.ask(method, '/v1/messages', body);
    expect(answer).toMatchObject({ status, body: { type: 'error', error: { type } } });
    expect(answer.headers.get('request-id')).toBe(answer.headers.get('x-request-id'));
  });

  it('asks nothing of the upstream for an answer of no tokens', async () => {
    const driver: ScriptedDriver = app.app.get(UpstreamDriver);
    const asked = driver.prompts.length;
    const entry = firstValueFrom(app.app.get(LogsService).endedCompletions$);
    const { status, body } = await app.ask('POST', '/v1/messages', { body: { ...ASK, max_tokens: 0 } });
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^msg_/),
        type: 'message',
        role: 'assistant',
        model: 'svc-max',
        content: [],
        stop_reason: 'max_tokens',
        stop_sequence: null,
        usage: expect.objectContaining({ input_tokens: 2, output_tokens: 0 }),
      },
    ]);
    expect(driver.prompts).toHaveLength(asked);
    expect(await entry).toMatchObject({
      outcome: 'ok',
      model: 'svc-max',
      receivedMs: expect.any(Number),
      finishReason: 'length',
      usage: { promptTokens: 2, completionTokens: 0 },
    });
    const streamed = await app.ask('POST', '/v1/messages', { body: { ...ASK, max_tokens: 0, stream: true } });
    expect([streamed.status, streamed.text]).toEqual([
      400,
      expect.stringContaining('stream must not be true'),
    ]);
  });

  it('refuses a prompt for no tokens that does not fit the model', async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(1_100_000) }];
    const { status, text } = await app.ask('POST', '/v1/messages', {
      body: { ...ASK, messages, max_tokens: 0 },
    });
    expect([status, text]).toEqual([400, expect.stringContaining('prompt is too long')]);
  });

  it('counts the tokens of the same prompt that is answered', async () => {
    const tools = [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }];
    const count = await app.ask('POST', '/v1/messages/count_tokens', {
      body: { ...COUNT, system: 'Be brief.', tools },
    });
    const answered = await app.ask('POST', '/v1/messages', { body: { ...ASK, system: 'Be brief.', tools } });
    const { input_tokens: tokens } = count.body as { input_tokens: number };
    expect(tokens).toBeGreaterThan(50);
    expect(answered.body).toMatchObject({ usage: { input_tokens: tokens } });
  });

  it('says which fields have no effect', async () => {
    const fields = {
      container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] },
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    };
    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      const { status, headers } = await app.ask('POST', path, { body: { ...ASK, ...fields } });
      expect([status, headers.get('x-gateway-fields-ignored')]).toEqual([
        200,
        'context_management, container',
      ]);
    }
  });

  it('says which tools it left out', async () => {
    const tools = [{ type: 'code_execution_20250825', name: 'code_execution' }];
    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      const { status, headers } = await app.ask('POST', path, { body: { ...ASK, tools } });
      expect([status, headers.get('x-gateway-tools-left-out')]).toEqual([200, 'code_execution_20250825']);
    }
  });
});
