import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { ControllerApp } from '../../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../../test/support/gateway/describe-routes.js';
import { RoutesModule } from '../../common/http/answer/routes.module.js';
import { RequestLogMiddleware } from '../../logs/request-log.middleware.js';
import { ResponsesModule } from './responses.module.js';

/** The endpoint with the log in front of it, as the gateway has it. */
@Module({ imports: [ResponsesModule, RoutesModule] })
class LoggedResponsesModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(RequestLogMiddleware).forRoutes('v1/{*path}');
  }
}

const ASK = { model: 'svc-max', input: 'Hello?' };
const tool = { type: 'function', name: 'read' };

describe('ResponsesController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(LoggedResponsesModule);
  });

  afterAll(() => app.close());

  describeRoutes(() => app, {
    'POST /v1/responses': {
      bad: [
        [{ ...ASK, model: 5 }, 'model'],
        [{ ...ASK, input: undefined }, 'input'],
        [{ ...ASK, input: [{ role: 'nobody', content: '' }] }, 'input[0].role'],
        [{ ...ASK, temperature: 3 }, 'temperature'],
        [{ ...ASK, max_output_tokens: 70_000 }, 'max_output_tokens'],
        [{ ...ASK, conversation: 'conv_1' }, 'conversation'],
        [{ ...ASK, tools: [{ type: 'function' }] }, 'tools[0].name'],
        [{ ...ASK, tools: [tool], tool_choice: { type: 'web_search' } }, 'tool_choice.type'],
        [{ ...ASK, text: { format: { type: 'xml' } } }, 'text.format.type'],
        [{ ...ASK, metadata: { a: 1 } }, 'metadata'],
      ],
      good: {
        input: ASK,
        body: {
          object: 'response',
          status: 'completed',
          model: 'svc-max',
          output: [
            {
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: 'hi', annotations: [], logprobs: [] }],
            },
          ],
        },
      },
    },
  });

  it('repeats the request in its answer, defaults filled in', async () => {
    const { body } = await app.ask('POST', '/v1/responses', { body: ASK });
    expect(body).toEqual({
      id: expect.stringMatching(/^resp_[0-9a-f]{32}$/),
      object: 'response',
      created_at: expect.any(Number),
      status: 'completed',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      metadata: {},
      model: 'svc-max',
      output: [expect.objectContaining({ type: 'message' })],
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      service_tier: 'default',
      store: true,
      temperature: 0.7,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_p: 0.9,
      truncation: 'disabled',
      usage: {
        input_tokens: expect.any(Number),
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: expect.any(Number),
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: expect.any(Number),
      },
    });
  });

  it('streams where the request says so', async () => {
    const { status, headers, text } = await app.ask('POST', '/v1/responses', {
      body: { ...ASK, stream: true },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(text).toMatch(
      /^: heartbeat\n\nevent: response\.created\n[^]*event: response\.completed\n[^]*\n\n$/,
    );
  });
});
