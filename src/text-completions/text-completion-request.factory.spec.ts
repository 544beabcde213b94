import { describe, expect, it, jest } from '@jest/globals';
import { Settings } from '../common/config/settings.js';
import { type Model } from '../models/model.js';
import { CreateTextCompletionDto } from './create-text-completion.dto.js';
import { type TextCompletionRequest, toTextCompletionRequests } from './text-completion-request.factory.js';

const MODEL: Model = {
  id: 'm',
  contextWindow: 9000,
  maxOutputTokens: 5000,
  thinking: true,
  upstreamModel: 'u',
};

function readAll(fields: object): readonly TextCompletionRequest[] {
  const dto = Object.assign(new CreateTextCompletionDto(), { model: 'm', prompt: 'Once', ...fields });
  CreateTextCompletionDto.validate(dto);
  return toTextCompletionRequests(dto, () => MODEL, new Settings());
}

function read(fields: object): TextCompletionRequest {
  const [only, ...others] = readAll(fields);
  expect(others).toEqual([]);
  return only!;
}

// Parameters: https://platform.openai.com/docs/api-reference/completions/create
describe('toTextCompletionRequests', () => {
  it('has the user say the prompt', () => {
    expect(read({})).toMatchObject({
      messages: [{ role: 'user', content: 'Once' }],
      stream: false,
      params: { maxTokens: 1000, stop: [] },
      tools: [],
      fieldNames: { messages: 'prompt', sent: { messages: 'prompt' } },
      includeUsage: false,
    });
    expect(read({ prompt: ['Once'] }).messages).toEqual([{ role: 'user', content: 'Once' }]);
  });

  it('asks n times for each prompt, with seeds that differ', () => {
    const asked = readAll({ prompt: ['a', 'b'], n: 2, best_of: 2, seed: 7 });
    expect(asked.map(({ messages, params }) => [messages[0]!.content, params.seed])).toEqual([
      ['a', 7],
      ['a', 8],
      ['b', 7],
      ['b', 8],
    ]);
  });

  it('reads what all prompts have in common once', () => {
    const parse = jest.spyOn(JSON, 'parse');
    const asked = readAll({
      prompt: ['a', 'b', 'c'],
      guided_json: '{"type":"object"}',
      logit_bias: { 5: 1 },
    });
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
    expect(new Set(asked.map(({ responseFormat }) => responseFormat)).size).toBe(1);
    expect(asked.map(({ messages }) => messages[0]!.content)).toEqual(['a', 'b', 'c']);
  });

  it('passes on what a chat completion does', () => {
    const fields = { max_tokens: 5, temperature: 0.5, top_p: 0.9, seed: 3, stop: ['.'], top_k: 4 };
    const { params, stream, includeUsage } = read({
      ...fields,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect([stream, includeUsage]).toEqual([true, true]);
    expect(params).toEqual({
      maxTokens: 5,
      temperature: 0.5,
      topP: 0.9,
      seed: 3,
      stop: ['.'],
      further: { top_k: 4 },
    });
  });

  it.each<[object, string, string]>([
    [{ prompt: undefined }, 'prompt', 'is required'],
    [
      { prompt: undefined, messages: [{ role: 'user', content: 'Hi' }] },
      'prompt',
      'is required: messages go to /v1/chat/completions',
    ],
    [{ prompt: [] }, 'prompt', 'must be a string or a list of strings'],
    [
      { prompt: [1, 2] },
      'prompt',
      'must be a string or a list of strings: models number their tokens differently',
    ],
    [
      { prompt: [[1, 2]] },
      'prompt',
      'must be a string or a list of strings: models number their tokens differently',
    ],
    [{ suffix: 'x' }, 'suffix', 'is not supported'],
    [{ echo: true }, 'echo', 'is not supported'],
    [{ logprobs: 0 }, 'logprobs', 'is not supported'],
    [{ best_of: 2 }, 'best_of', 'must be n'],
    [{ n: 2, best_of: 1 }, 'best_of', 'must be n'],
    [{ n: 129 }, 'n', 'must not be greater than 128'],
    [{ n: 43, prompt: ['a', 'b', 'c'] }, 'prompt', 'must not ask for more than 128 answers'],
    [{ max_tokens: 0 }, 'max_tokens', 'must not be less than 1'],
    [{ stop: 5 }, 'stop', 'must be a string'],
  ])('refuses %j', (fields, param, problem) => {
    expect(() => read(fields)).toThrow(`${param} ${problem}`);
  });

  it('takes what means nothing as not given', () => {
    const nothing = { suffix: '', echo: false, logprobs: null, best_of: 1, n: 1 };
    expect(read(nothing)).toEqual(read({}));
  });
});
