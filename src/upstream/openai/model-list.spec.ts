import { describe, expect, it } from '@jest/globals';
import { readModelList } from './model-list.js';

const listOf = (...data: unknown[]): string => JSON.stringify({ object: 'list', data });

describe('readModelList', () => {
  it.each<[server: string, model: object, expected: object]>([
    ['the format itself', { object: 'model', owned_by: 'x' }, {}],
    ['vLLM', { max_model_len: 32_768, root: 'm' }, { contextWindow: 32_768 }],
    ['llama.cpp', { meta: { n_ctx: 4096, n_ctx_train: 131_072 } }, { contextWindow: 4096 }],
    [
      'a list of many providers',
      {
        context_length: 200_000,
        architecture: { input_modalities: ['image', 'text', 'smell'] },
        top_provider: { max_completion_tokens: 9000 },
      },
      { contextWindow: 200_000, maxOutputTokens: 9000, modalities: ['text', 'image'] },
    ],
    [
      'one that says what a model can do',
      { max_context_length: 8192, capabilities: { vision: false } },
      { contextWindow: 8192, modalities: ['text'] },
    ],
    [
      'a gateway like this one',
      { context_window: 100, max_output_tokens: 10, modalities: ['text'] },
      { contextWindow: 100, maxOutputTokens: 10, modalities: ['text'] },
    ],
    [
      'what was loaded, before what could be',
      { loaded_context_length: 4096, max_context_length: 8192 },
      { contextWindow: 4096 },
    ],
    [
      'values that make no sense',
      { max_model_len: 0, context_length: '8k', max_output_tokens: null, modalities: 'text' },
      {},
    ],
  ])('reads the model of %s', (_server, model, expected) => {
    expect(readModelList(listOf({ id: 'm', ...model }))).toEqual([{ id: 'm', ...expected }]);
  });

  it('reads a list without an object around it', () => {
    expect(readModelList('[{"id":"v/m","context_length":8192}]')).toEqual([
      { id: 'v/m', contextWindow: 8192 },
    ]);
  });

  it('leaves out what is no model, and names that nobody could write', () => {
    const ids = ['', 'x'.repeat(201), '\0', 'a\nb', '\u001b[31m', 'm'].map((id) => ({ id }));
    expect(readModelList(listOf(null, 5, {}, { id: 7 }, ...ids))).toEqual([{ id: 'm' }]);
  });

  it('takes no more models than requests can be looked up in', () => {
    const models = Array.from({ length: 20_000 }, (_, at) => ({ id: `m${at}` }));
    expect(readModelList(listOf(...models))).toEqual(models.slice(0, 10_000));
  });

  it.each(['[]', 'null', '{}', '{"data":{}}'])('finds none in %s', (body) => {
    expect(readModelList(body)).toEqual([]);
  });

  it('throws for what is no JSON', () => {
    expect(() => readModelList('<html>')).toThrow(SyntaxError);
  });
});
