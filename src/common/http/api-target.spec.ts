import { describe, expect, test } from '@jest/globals';
import { isApiTarget } from './api-target.js';

describe('isApiTarget', () => {
  test.each([
    ['/v1/models', true],
    ['/v1/', true],
    ['/api/chat', true],
    ['/v1beta/models/m:generateContent', true],
    ['/dashboard/api/keys', false],
    ['http://127.0.0.1:80/v1/models?x', true],
    ['/v1', false],
    ['/v10/models', false],
    ['/V1/models', false],
    ['/dashboard/v1/models', false],
    ['/log/json?a=/v1/', false],
    ['//v1/models', false],
    ['*', false],
    ['http://v1/', false],
  ])('%s: %s', (target, expected) => {
    expect(isApiTarget(target)).toBe(expected);
  });
});
