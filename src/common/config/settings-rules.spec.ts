import { describe, expect, it } from '@jest/globals';
import { Settings } from './settings.js';
import { checkTogether } from './settings-rules.js';

function problems(upstream: string, host: string): string[] {
  const given = { PROVIDER: 'openai', UPSTREAM_BASE_URL: upstream, HOST: host, PORT: 4000, API_KEY: 'k' };
  return checkTogether(Object.assign(new Settings(), given), new Set()).map(({ text }) => text);
}

describe('checkTogether', () => {
  it.each([
    ['http://127.0.0.1:4000/v1', '127.0.0.1'],
    ['http://localhost:4000/v1', '127.0.0.1'],
    ['http://[::1]:4000/v1', '::1'],
    ['http://127.0.0.1:4000/v1', '0.0.0.0'],
    ['http://10.0.0.1:4000/v1', '10.0.0.1'],
  ])('refuses %s as the upstream of a gateway at %s, which would ask itself', (upstream, host) => {
    expect(problems(upstream, host)).toEqual([
      'UPSTREAM_BASE_URL leads to this gateway itself: name the API that is to answer',
    ]);
  });

  it.each([
    ['http://127.0.0.1:4001/v1', '127.0.0.1'],
    ['http://127.0.0.2:4000/v1', '127.0.0.1'],
    ['http://127.0.0.1:4000/v1', '10.0.0.1'],
    ['http://10.0.0.2:4000/v1', '0.0.0.0'],
    ['https://localhost:4000/v1', '0.0.0.0'],
  ])('accepts %s as the upstream of a gateway at %s', (upstream, host) => {
    expect(problems(upstream, host)).toEqual([]);
  });
});
