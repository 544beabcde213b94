import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { LogEntries } from '../../test/support/gateway/log-entries.js';
import { eventually, PATIENCE_MS } from '../../test/support/watch/eventually.js';
import { LogsService } from '../logs/logs.service.js';
import { ChatModule } from './chat.module.js';
import { RunningCompletions } from './running-completions.js';

const ASK = { model: 'svc-max', messages: [{ role: 'user', content: 'Hello?' }], stream: false };

describe('ChatController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(ChatModule);
  });

  afterAll(() => app.close());

  describeRoutes(() => app, {
    'POST /v1/chat/completions': {
      bad: [
        [{ ...ASK, model: 5 }, 'model'],
        [{ ...ASK, messages: [] }, 'messages'],
        [{ ...ASK, messages: [{ role: 'nobody', content: '' }] }, 'messages[0].role'],
        [{ ...ASK, temperature: 3 }, 'temperature'],
        [{ ...ASK, stream_options: { include_usage: 1 } }, 'stream_options.include_usage'],
      ],
      good: {
        input: ASK,
        body: {
          object: 'chat.completion',
          model: 'svc-max',
          choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
        },
      },
    },
  });

  it.each([null, [], 'input'])('refuses the body %j', async (body) => {
    expect((await app.ask('POST', '/v1/chat/completions', { body })).status).toBe(400);
  });

  it('streams where the request does not say otherwise', async () => {
    const streamed = { ...ASK, stream: undefined };
    const { status, headers, text } = await app.ask('POST', '/v1/chat/completions', { body: streamed });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(text).toMatch(/^: heartbeat\n\ndata: \{[^]*"content":"hi"[^]*\n\ndata: \[DONE\]\n\n$/);
  });

  it.each([1, 2])('refuses what comes after the end of all answers, and logs it (n: %i)', async (n) => {
    const ending = await ControllerApp.start(ChatModule);
    const entries = new LogEntries(ending.app.get(LogsService, { strict: false }));
    await ending.app.get(RunningCompletions, { strict: false }).endAll();
    const { status } = await ending.ask('POST', '/v1/chat/completions', { body: { ...ASK, n } });
    expect(status).toBe(500);
    await eventually(PATIENCE_MS, () => {
      expect(entries.newest).toMatchObject({ outcome: 'shutdown', status: 500, model: 'svc-max' });
    });
    await ending.close();
  });
});
