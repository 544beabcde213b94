import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ScriptedDriver } from '../../test/support/upstream/scripted-driver.js';
import { cpuMs, expectCostRatio } from '../../test/support/watch/cpu-time.js';
import { ModelSettings } from '../common/config/model-table.js';
import { Settings } from '../common/config/settings.js';
import { InternalError, ModelNotFoundError } from '../common/errors/gateway.errors.js';
import { SystemClock } from '../common/time/clock.js';
import { type UpstreamModel } from '../upstream/upstream-driver.js';
import { ModelCatalog } from './model-catalog.js';
import { UpstreamModels } from './upstream-models.js';

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

  it('lists and finds for a key only what it may use', async () => {
    const catalog = catalogOf();
    const models = new Set(['svc-plus']);
    const key = { name: 'ann', role: 'caller', digest: '', models } as const;
    expect((await catalog.listFor(key)).map(({ id }) => id)).toEqual(['svc-plus']);
    expect(await catalog.listFor(undefined)).toEqual(catalog.list());
    const find = await catalog.finderFor(key);
    expect(find('claude-haiku-4-5').id).toBe('svc-plus');
    expect(() => find('svc-max')).toThrow(ModelNotFoundError);
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
    ['gemini-2.5-flash-lite', 'svc-max'],
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

  it('takes one model for all names that no other has', () => {
    const small = { contextWindow: 8000, maxOutputTokens: 500, thinking: true };
    const catalog = catalogOf({
      models: { small: { ...small, aliases: ['*'] }, large: { ...small, aliases: ['gpt-*'] } },
    });
    expect(['small', 'large', 'gpt-5', 'gpt', ''].map((name) => catalog.get(name).id)).toEqual([
      'small',
      'large',
      'large',
      'small',
      'small',
    ]);
  });

  it.each([
    [undefined, ['text', 'image'], 4],
    [['text', 'image', 'file'] as const, ['text', 'image'], 4],
    [['text'] as const, ['text'], undefined],
  ])('takes %j for what a site that takes images takes', (stated, modalities, imageLimit) => {
    const model = { ...new ModelSettings(), ...(stated && { modalities: [...stated] }) };
    const settings = Object.assign(new Settings(), { PROVIDER: 'web', models: { model } });
    const driver = new ScriptedDriver([]);
    Object.defineProperty(driver, 'imageLimit', { value: 4 });
    const catalog = new ModelCatalog(settings, new UpstreamModels(settings, driver, new SystemClock()));
    expect([catalog.get('model').modalities, catalog.get('model').imageLimit]).toEqual([
      modalities,
      imageLimit,
    ]);
  });

  describe('of an OpenAI-format upstream', () => {
    const LISTED: readonly UpstreamModel[] = [
      { id: 'nomic-embed-text' },
      { id: 'qwen3', contextWindow: 32_768, modalities: ['text', 'image'] },
      { id: 'large', contextWindow: 200_000, maxOutputTokens: 9000 },
    ];

    /** A catalogue over what the upstream lists, with room for what it refuses. */
    function own(listed: readonly UpstreamModel[], changes: Partial<Settings> = {}): ModelCatalog {
      const settings = Object.assign(new Settings(), { PROVIDER: 'openai', ...changes });
      const driver = new ScriptedDriver([]);
      const upstream = new UpstreamModels(settings, driver, new SystemClock());
      Object.assign(upstream, { models: listed });
      return new ModelCatalog(settings, upstream);
    }

    it('lists them with the limits that it states', () => {
      expect(own(LISTED).list()).toEqual([
        {
          ...size,
          id: 'nomic-embed-text',
          isWindowAssumed: true,
          isOutputAssumed: true,
          answerLimit: 1_000_000,
          thinking: true,
          upstreamModel: 'nomic-embed-text',
          modalities: undefined,
        },
        {
          id: 'qwen3',
          contextWindow: 32_768,
          maxOutputTokens: 32_768,
          isOutputAssumed: true,
          answerLimit: 32_768,
          thinking: true,
          upstreamModel: 'qwen3',
          modalities: ['text', 'image'],
        },
        {
          id: 'large',
          contextWindow: 200_000,
          maxOutputTokens: 9000,
          thinking: true,
          upstreamModel: 'large',
          modalities: undefined,
        },
      ]);
    });

    it('lists many in linear time', () => {
      const cost = (count: number): number => {
        const catalog = own(Array.from({ length: count }, (_, at) => ({ id: `m${at}` })));
        return cpuMs(() => expect(catalog.list()).toHaveLength(count));
      };
      expectCostRatio({ small: () => cost(2500), large: () => cost(10_000) }, 8);
    });

    it.each([
      ['qwen3-no-thinking', 'qwen3-no-thinking', 'qwen3', false],
      ['svc-max', 'svc-max', 'qwen3', true],
      ['svc-plus-no-thinking', 'svc-plus-no-thinking', 'qwen3', false],
      ['claude-haiku-4-5', 'svc-plus', 'qwen3', true],
    ])('takes %s for a name of its first', (name, id, upstreamModel, thinking) => {
      const catalog = own(LISTED);
      expect(catalog.get(name)).toMatchObject({ id, upstreamModel, thinking, contextWindow: 32_768 });
      expect(catalog.has(id)).toBe(true);
    });

    it('finds ids that begin with the kind of resource without it', () => {
      const catalog = own([{ id: 'models/gemini-2.5-pro' }, { id: 'models/gemini-2.5-flash' }]);
      expect(catalog.get('gemini-2.5-flash').id).toBe('models/gemini-2.5-flash');
      expect(catalog.get('gemini-2.5-flash-no-thinking')).toMatchObject({
        id: 'gemini-2.5-flash-no-thinking',
        upstreamModel: 'models/gemini-2.5-flash',
      });
      expect(catalog.has('gemini-2.5-flash')).toBe(false);
    });

    it('has the list read anew where a name of its first is asked for', async () => {
      const driver = new ScriptedDriver([]);
      driver.listModels = () => Promise.resolve(LISTED);
      const settings = Object.assign(new Settings(), { PROVIDER: 'openai' });
      const catalog = new ModelCatalog(settings, new UpstreamModels(settings, driver, new SystemClock()));
      expect(catalog.get('claude-opus-5-5').upstreamModel).toBe('svc-max');
      await setImmediate();
      expect(catalog.get('claude-opus-5-5').upstreamModel).toBe('qwen3');
    });

    it('finds models for requests once the first list has come', async () => {
      const driver = new ScriptedDriver([]);
      driver.listModels = () => setImmediate(LISTED);
      const settings = Object.assign(new Settings(), { PROVIDER: 'openai' });
      const catalog = new ModelCatalog(settings, new UpstreamModels(settings, driver, new SystemClock()));
      expect(() => catalog.get('qwen3')).toThrow(InternalError);
      const find = await catalog.finder();
      expect(find('qwen3').contextWindow).toBe(32_768);
    });

    it('has UPSTREAM_MODEL alone where that is set, with the limits that are listed for it', () => {
      const catalog = own(LISTED, { UPSTREAM_MODEL: 'large' });
      expect(catalog.list().map(({ id }) => id)).toEqual(['large']);
      expect(catalog.get('svc-max')).toMatchObject({ upstreamModel: 'large', maxOutputTokens: 9000 });
      expect(() => catalog.get('qwen3')).toThrow(ModelNotFoundError);
      expect(own([], { UPSTREAM_MODEL: 'any' }).list()).toMatchObject([{ id: 'any', upstreamModel: 'any' }]);
    });

    it('has the built-in ones until it is known, and those of the settings in any case', () => {
      expect(own([]).get('svc-plus-no-thinking')).toMatchObject({
        upstreamModel: 'svc-plus',
        isOutputAssumed: true,
      });
      const models = { mine: { contextWindow: 8000, maxOutputTokens: 500, thinking: true } };
      expect(own(LISTED, { models }).list()).toMatchObject([{ id: 'mine', upstreamModel: 'mine' }]);
    });

    it('bounds answers by the window alone where no limit is stated, but those of built-in names', () => {
      const catalog = own(LISTED);
      catalog.learnWindow(catalog.get('qwen3'), 16_384);
      const limits = ['qwen3', 'qwen3-no-thinking', 'large', 'svc-max'].map(
        (id) => catalog.get(id).answerLimit,
      );
      expect(limits).toEqual([32_768, 32_768, undefined, undefined]);
    });

    it('takes a model for one that reads text where it has refused the rest, unless it is stated to read more', () => {
      const catalog = own(LISTED);
      catalog.learnTextOnly(catalog.get('large'));
      catalog.learnTextOnly(catalog.get('qwen3'));
      expect(catalog.get('large').modalities).toEqual(['text']);
      expect(catalog.get('qwen3').modalities).toEqual(['text', 'image']);
    });

    it('tells the window that a refusal named, and leaves judging by it to the upstream', () => {
      const catalog = own(LISTED);
      for (const tokens of [16_384, 20_000]) {
        catalog.learnWindow(catalog.get('svc-max'), tokens);
      }
      expect(catalog.get('qwen3')).toMatchObject({ contextWindow: 16_384, promptLimit: 32_768 });
      expect(catalog.get('large')).not.toHaveProperty('promptLimit');
    });
  });
});
