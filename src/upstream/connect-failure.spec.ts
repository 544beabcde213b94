import { describe, expect, it } from '@jest/globals';
import { ProxyError } from '../common/network/proxy/tunnel.js';
import { connectFailure } from './connect-failure.js';

const failed = (code: string): Error => Object.assign(new Error(code), { code });

describe('connectFailure', () => {
  it.each([
    ['EMFILE', failed('EMFILE')],
    ['EADDRNOTAVAIL at every address', new AggregateError([failed('ECONNREFUSED'), failed('EADDRNOTAVAIL')])],
    ['ENOMEM as the cause', new Error('fetch failed', { cause: failed('ENOMEM') })],
  ])('blames the machine for %s', (_what, error) => {
    expect(connectFailure(error)).toMatchObject({ fault: 'local_resources', cause: error });
  });

  it.each([
    ['ECONNREFUSED', failed('ECONNREFUSED')],
    ['no code', new Error('other')],
    ['ENOTFOUND as the cause', new Error('fetch failed', { cause: failed('ENOTFOUND') })],
  ])('blames the upstream for %s', (_what, error) => {
    expect(connectFailure(error)).toMatchObject({ fault: 'connect_failed', cause: error });
  });

  const proxy = { label: 'proxy http://proxy:3128 (HTTPS_PROXY)' };

  it('blames a proxy that stands in between', () => {
    const error = new ProxyError(proxy, 'gave no connection.', failed('ECONNREFUSED'));
    expect(connectFailure(error)).toMatchObject({ fault: 'proxy_failed', cause: error });
    expect(connectFailure(new ProxyError(proxy, 'gave none.', failed('EMFILE')))).toMatchObject({
      fault: 'local_resources',
    });
  });
});
