import { describe, expect, it } from '@jest/globals';
import { type CompletionRequest } from '../../chat/interfaces/completion-request.js';
import { Settings } from '../../common/config/settings.js';
import { ModelNotFoundError } from '../../common/errors/gateway.errors.js';
import { type Model } from '../../models/model.js';
import { OllamaChatDto, OllamaGenerateDto } from './ollama-bodies.dto.js';
import { modelFinder, toOllamaChat, toOllamaGeneration } from './ollama-request.factory.js';

const MODEL: Model = {
  id: 'm',
  contextWindow: 9000,
  maxOutputTokens: 5000,
  thinking: true,
  upstreamModel: 'u',
};
const MESSAGES = [{ role: 'user', content: 'Hi' }];
const SCHEMA = { type: 'object', properties: { a: { type: 'number' } } };

function read(fields: object): CompletionRequest {
  const dto = Object.assign(new OllamaChatDto(), { model: 'm', messages: MESSAGES, ...fields });
  OllamaChatDto.validate(dto);
  return toOllamaChat(dto, () => MODEL, new Settings());
}

describe('toOllamaChat', () => {
  it('streams, without a limit, and lets the model reason', () => {
    expect(read({})).toMatchObject({
      messages: MESSAGES,
      stream: true,
      thinking: true,
      params: { maxTokens: 5000, stop: [] },
      responseFormat: { type: 'text' },
      fieldNames: { messages: 'messages', schema: 'format', sent: { messages: 'messages' } },
    });
  });

  it('passes sampling on under the names of the chat format, and names it by its own', () => {
    const options = { temperature: 0, top_k: 9, seed: 7, num_predict: 50, stop: 'END', repeat_penalty: 1.2 };
    const { params, fieldNames } = read({ options: { ...options, num_ctx: 2048, mirostat: 1 } });
    expect(params).toEqual({
      temperature: 0,
      maxTokens: 50,
      seed: 7,
      stop: ['END'],
      further: { top_k: 9, repetition_penalty: 1.2 },
    });
    expect(fieldNames.sent).toMatchObject({
      max_tokens: 'options.num_predict',
      repetition_penalty: 'options.repeat_penalty',
    });
  });

  it('says that it passes no probabilities of tokens on', () => {
    expect(read({ logprobs: true, top_logprobs: 2 }).ignoredFields).toEqual(['logprobs']);
    expect(read({ logprobs: false }).ignoredFields).toEqual([]);
  });

  it.each([
    [-1, 5000],
    [-2, 5000],
    [0, 5000],
    [80_000, 5000],
  ])('takes a limit of %i tokens for %i', (num_predict, maxTokens) => {
    expect(read({ options: { num_predict } }).params.maxTokens).toBe(maxTokens);
  });

  it.each([
    ['json', { type: 'json_object' }],
    ['', { type: 'text' }],
    [SCHEMA, { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: SCHEMA } }],
  ])('asks for the format %j', (format, expected) => {
    expect(read({ format }).responseFormat).toEqual(expected);
  });

  it.each([
    [false, false, {}],
    [true, true, { chat_template_kwargs: { enable_thinking: true, thinking: true } }],
    ['high', true, { reasoning_effort: 'high' }],
    ['max', true, { reasoning_effort: 'max' }],
    ['none', false, { reasoning_effort: 'none' }],
  ])('takes think: %j', (think, thinking, further) => {
    const { params, ...request } = read({ think });
    expect([request.thinking, params.further]).toEqual([thinking, further]);
  });
});

describe('toOllamaGeneration', () => {
  it('has the user say the prompt, with its images', () => {
    const dto = Object.assign(new OllamaGenerateDto(), {
      model: 'm',
      system: 'Be brief.',
      prompt: 'What is it?',
      images: ['/9j/'],
    });
    OllamaGenerateDto.validate(dto);
    const { messages, fieldNames } = toOllamaGeneration(dto, () => MODEL, new Settings());
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/' } },
        ],
      },
    ]);
    expect(fieldNames.messages).toBe('prompt');
  });
});

describe('modelFinder', () => {
  const find = modelFinder((name) => {
    if (name !== 'm' && name !== 'tagged:latest') {
      throw new ModelNotFoundError(name);
    }
    return { ...MODEL, id: name };
  });

  it.each([
    ['m', 'm'],
    ['m:latest', 'm'],
    ['tagged:latest', 'tagged:latest'],
  ])('finds %s', (name, id) => {
    expect(find(name).id).toBe(id);
  });

  it.each(['other', 'other:latest', 'm:7b'])('does not find %s', (name) => {
    expect(() => find(name)).toThrow(ModelNotFoundError);
  });
});
