import { describe, expect, it } from '@jest/globals';
import { Settings } from '../common/config/settings.js';
import { ModelNotFoundError } from '../common/errors/gateway.errors.js';
import { ModelCatalog } from './model-catalog.js';

function catalogOf(changes: Partial<Settings> = {}): ModelCatalog {
  return new ModelCatalog(Object.assign(new Settings(), changes));
}

const size = { contextWindow: 1_000_000, maxOutputTokens: 65_536, modalities: ['text'] };

describe('ModelCatalog', () => {
  it('has the models of the contract', () => {
    expect(catalogOf().list()).toEqual([
      { id: 'svc-max', ...size, thinking: true, upstreamModel: 'svc-max' },
      { id: 'svc-plus', ...size, thinking: true, upstreamModel: 'svc-plus' },
      { id: 'svc-max-no-thinking', ...size, thinking: false, upstreamModel: 'svc-max' },
      { id: 'svc-plus-no-thinking', ...size, thinking: false, upstreamModel: 'svc-plus' },
    ]);
  });

  it('finds a model by its id', () => {
    const catalog = catalogOf();
    expect(catalog.list().map(({ id }) => catalog.get(id))).toEqual(catalog.list());
    expect(catalog.has('svc-max')).toBe(true);
  });

  it.each([
    '',
    'svc',
    'SVC-MAX',
    '-no-thinking',
    'svc-max-no-thinking-no-thinking',
    'constructor',
    '__proto__',
  ])('knows no model %j', (id) => {
    expect(catalogOf().has(id)).toBe(false);
    expect(() => catalogOf().get(id)).toThrow(ModelNotFoundError);
  });

  it.each([
    ['claude-opus-5-5', 'svc-max'],
    ['claude-sonnet-4-5-20250929', 'svc-max'],
    ['claude-haiku-4-5', 'svc-plus'],
  ])('takes %s for %s', (name, id) => {
    expect(catalogOf().get(name)).toEqual(catalogOf().get(id));
    expect(catalogOf().has(name)).toBe(false);
  });

  it('takes the id before the alias, the alias before a beginning, and the longest beginning', () => {
    const size = { contextWindow: 8000, maxOutputTokens: 500, thinking: false };
    const catalog = catalogOf({
      models: {
        'code-1': size,
        any: { ...size, aliases: ['code-*', 'code-1-mini*', 'c*'] },
        mini: { ...size, aliases: ['code-1-m*', 'code-2'] },
      },
    });
    const ids = ['code-1', 'code-2', 'code-3', 'code-1-mini', 'code-1-max', 'code-1-m', 'c'];
    expect(ids.map((id) => catalog.get(id).id)).toEqual([
      'code-1',
      'mini',
      'any',
      'any',
      'mini',
      'mini',
      'any',
    ]);
    expect(() => catalog.get('d')).toThrow(ModelNotFoundError);
  });

  it('is replaced by the models of the configuration', () => {
    const small = { contextWindow: 8000, maxOutputTokens: 500 };
    const text = { modalities: ['text'] };
    const catalog = catalogOf({
      models: {
        small: { ...small, thinking: false },
        named: { ...small, thinking: true, upstreamModel: 'vendor/large:7b' },
        'named-no-thinking': { ...small, thinking: true, upstreamModel: 'vendor/large:7b' },
      },
    });
    expect(catalog.list()).toEqual([
      { id: 'small', ...small, ...text, thinking: false, upstreamModel: 'small' },
      { id: 'named', ...small, ...text, thinking: true, upstreamModel: 'vendor/large:7b' },
      { id: 'named-no-thinking', ...small, ...text, thinking: false, upstreamModel: 'vendor/large:7b' },
    ]);
    expect(() => catalog.get('svc-max')).toThrow(ModelNotFoundError);
  });

  it('uses UPSTREAM_MODEL for models without an upstream name of their own', () => {
    const catalog = catalogOf({ UPSTREAM_MODEL: 'llama3' });
    expect(catalog.list().map(({ upstreamModel }) => upstreamModel)).toEqual([
      'llama3',
      'llama3',
      'llama3',
      'llama3',
    ]);
  });
});
