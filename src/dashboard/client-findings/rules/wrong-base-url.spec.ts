import { describe, expect, it } from '@jest/globals';
import { askingFor, refusalsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { cureOf, wrongBaseUrl } from './wrong-base-url.js';

describe('wrongBaseUrl', () => {
  it.each([
    ['/chat/completions', 'which ends in /v1', '{origin}/v1'],
    ['/Responses', 'which ends in /v1', '{origin}/v1'],
    ['/v1/v1/messages', 'adds /v1 by itself', '{origin}'],
    ['//v1/chat/completions', 'Take the slash off', undefined],
    ['/v1//models', 'Take the slash off', undefined],
    ['/api/chat/completions', 'without /api in it', '{origin}/v1'],
    ['/v1/chat/completions/chat/completions', 'without /v1/chat/completions in it', '{origin}/v1'],
    ['/api/v1/chat/completions', 'Take /api out', undefined],
    ['/v1/v1beta/models/m:generateContent', 'without /v1 in it', '{origin}'],
  ])('knows what is wrong where %s is asked for', (path, cure, line) => {
    const [found] = wrongBaseUrl(askingFor(path));
    expect(found?.symptom).toContain(path);
    expect(found?.cure).toContain(cure);
    expect(found?.line).toBe(line);
  });

  it('is one fault at several endpoints', () => {
    const paths = ['/models', '/chat/completions', '/v1/v1/models'];
    const failed = refusalsOf(3, { reason: 'not_found' }, (index) => ({ path: paths[index] ?? '' }));
    expect(wrongBaseUrl(trafficOf(failed)).map(({ requests }) => requests.length)).toEqual([2]);
  });

  it.each([
    '/v1/chat/completions',
    '/v1/models/svc-max',
    '/v1/embeddings',
    '/api/tags',
    '/v1beta/models/m:embedContent',
    '/openai/deployments/a/chat/completions',
    '/robots.txt',
  ])('knows nothing about %s', (path) => {
    expect(cureOf(path)).toBeUndefined();
    expect(wrongBaseUrl(askingFor(path, 9))).toEqual([]);
  });

  it('is not found by one try, or by other failures', () => {
    expect(wrongBaseUrl(askingFor('/models', 1))).toEqual([]);
    expect(
      wrongBaseUrl(trafficOf(refusalsOf(9, { reason: 'invalid_api_key' }, { path: '/models' }))),
    ).toEqual([]);
  });
});
