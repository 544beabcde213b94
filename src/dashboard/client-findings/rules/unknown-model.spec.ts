import { describe, expect, it } from '@jest/globals';
import { refusalsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { nearestModel, unknownModel } from './unknown-model.js';

const MODELS = ['svc-max', 'svc-plus', 'Qwen/Qwen3-8B'].map((id) => ({ id }));

const asked = (model: string, count = 2) =>
  trafficOf(refusalsOf(count, { reason: 'model_not_found' }, { model }));

describe('unknownModel', () => {
  it('names the model that is written most alike, for each that was asked for', () => {
    const failed = [...asked('svc_max').failed, ...asked('qwen/qwen3-8b').failed];
    expect(unknownModel(trafficOf(failed), MODELS)).toMatchObject([
      { symptom: expect.stringContaining("'svc_max'"), line: 'svc-max' },
      { symptom: expect.stringContaining("'qwen/qwen3-8b'"), line: 'Qwen/Qwen3-8B' },
    ]);
  });

  it.each([
    ['gpt-4o-mini-2024', 'svc-max'],
    ['svc-plsu', 'svc-plus'],
    ['', 'svc-max'],
  ])('takes %j for %s', (name, id) => {
    expect(nearestModel(name, MODELS)).toBe(id);
  });

  it('names none where there is none', () => {
    expect(unknownModel(asked('any'), [])).toMatchObject([{ cure: expect.stringContaining('Name one') }]);
  });

  it('is not found by one try, or without a name', () => {
    expect(unknownModel(asked('svc_max', 1), MODELS)).toEqual([]);
    const nameless = refusalsOf(9, { reason: 'model_not_found' }, { model: undefined });
    expect(unknownModel(trafficOf(nameless), MODELS)).toEqual([]);
  });
});
