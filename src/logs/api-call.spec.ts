import { expect, test } from '@jest/globals';
import { isApiCall } from './api-call.js';

test.each([
  '/v1/chat/completions',
  '/V1/models?limit=1',
  '/v1',
  '/v1/any',
  '/v1?a=b',
  'http://host:1/v1/messages/count_tokens',
  'HTTPS://host/v1?a=b',
  '/chat/completions',
  '/models/?limit=1',
  '//v1/messages',
  '/api/v1/responses',
  '/api/tags',
  '/api/Chat',
  '/v1/api/generate?a=b',
  '/api/embed',
  '/openai/deployments/gpt/chat/completions?api-version=1',
  '/v1beta/models/gemini:generateContent',
  '/v1beta/cachedContents',
  '/v1/v1beta/models/vendor/gemini:generateContent?alt=sse',
])('%s is a call to the API, or was meant as one', (url) => {
  expect(isApiCall(url)).toBe(true);
});

test.each([
  '/',
  '/v10/a',
  '/dashboard',
  '/dashboard/api/models',
  'http://host/dashboard/api/models',
  'http://host?b=/v1/a',
  '/log/json',
  '/health/ready',
  '/metrics',
  '/my-models',
  '/a?b=/models',
])('%s is none', (url) => {
  expect(isApiCall(url)).toBe(false);
});
