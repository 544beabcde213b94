import { describe, expect, it } from '@jest/globals';
import { refusalsOf, trafficOf } from '../../../../test/support/clients/client-traffic.js';
import { refusedKey } from './refused-key.js';

const refused = (count: number, path = '/v1/chat/completions') =>
  trafficOf(refusalsOf(count, { reason: 'invalid_api_key', message: 'The API key is wrong.' }, { path }));

describe('refusedKey', () => {
  it('tells what the client was told', () => {
    expect(refusedKey(refused(3))).toMatchObject([
      { symptom: expect.stringContaining('The API key is wrong.'), page: 'keys' },
    ]);
  });

  it('is not found where somebody has mistyped it, or not entered it yet in the dashboard', () => {
    expect([...refusedKey(refused(2)), ...refusedKey(refused(9, '/dashboard/api/status'))]).toEqual([]);
  });
});
