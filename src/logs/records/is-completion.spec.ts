import { expect, test } from '@jest/globals';
import { isCompletion } from './is-completion.js';

test.each([
  ['POST', '/v1/chat/completions', true],
  ['POST', '/V1/Chat/completions/', true],
  ['GET', '/v1/chat/completions', false],
  ['POST', '/v1/chat/completions/x', false],
  ['POST', '/v1/models', false],
])('%s %s: %s', (method, path, expected) => {
  const entry = { kind: 'request', id: 'r', startedAt: 0, method, path, outcome: 'pending' } as const;
  expect(isCompletion(entry)).toBe(expected);
});
