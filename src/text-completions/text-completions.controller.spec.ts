import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ControllerApp } from '../../test/support/gateway/controller-app.js';
import { describeRoutes } from '../../test/support/gateway/describe-routes.js';
import { TextCompletionsModule } from './text-completions.module.js';

const ASK = { model: 'svc-max', prompt: 'Once upon a time' };

describe('TextCompletionsController', () => {
  let app: ControllerApp;

  beforeAll(async () => {
    app = await ControllerApp.start(TextCompletionsModule);
  });

  afterAll(() => app.close());

  describeRoutes(() => app, {
    'POST /v1/completions': {
      bad: [
        [{ ...ASK, model: 5 }, 'model'],
        [{ ...ASK, prompt: undefined }, 'prompt'],
        [{ ...ASK, prompt: ['a', 5] }, 'prompt'],
        [{ ...ASK, suffix: 'the end' }, 'suffix'],
        [{ ...ASK, temperature: 3 }, 'temperature'],
      ],
      good: {
        input: ASK,
        body: {
          id: expect.stringMatching(/^cmpl-/),
          object: 'text_completion',
          model: 'svc-max',
          choices: [{ text: 'hi', index: 0, logprobs: null, finish_reason: 'stop' }],
          usage: expect.objectContaining({ completion_tokens: expect.any(Number) }),
        },
      },
    },
  });

  it('names the prompt where it is too long', async () => {
    const body = { ...ASK, prompt: 'word '.repeat(1_100_000) };
    expect(await app.ask('POST', '/v1/completions', { body })).toMatchObject({
      status: 400,
      body: { error: { code: 'context_window_exceeded', param: 'prompt' } },
    });
  });
});
