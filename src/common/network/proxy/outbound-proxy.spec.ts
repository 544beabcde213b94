import { describe, expect, it } from '@jest/globals';
import { type OutboundProxy, proxyFor, proxyProblem, type ProxySettings } from './outbound-proxy.js';

function proxyOf(url: string, settings: Partial<ProxySettings>): OutboundProxy | undefined {
  return proxyFor(new URL(url), { NO_PROXY: '', ...settings });
}

describe('proxyFor', () => {
  const both = { HTTPS_PROXY: 'http://secure:1', HTTP_PROXY: 'http://plain:2' };

  it.each([
    ['https://api.example/v1', both, 'proxy http://secure:1 (HTTPS_PROXY)'],
    ['http://api.example/v1', both, 'proxy http://plain:2 (HTTP_PROXY)'],
    ['https://api.example', { HTTPS_PROXY: 'proxy.example:3128' }, 'proxy http://proxy.example:3128'],
    ['https://api.example', { HTTPS_PROXY: 'https://proxy.example/' }, 'proxy https://proxy.example ('],
  ])('of %s with %j is %s', (url, settings, label) => {
    expect(proxyOf(url, settings)?.label).toContain(label);
  });

  it.each([
    ['https://api.example', {}],
    ['https://api.example', { HTTP_PROXY: 'http://plain:2' }],
    ['http://api.example', { HTTPS_PROXY: 'http://secure:1' }],
    ['https://api.example', { ...both, NO_PROXY: '.example' }],
    ['http://127.0.0.1:11434', both],
  ])('of %s with %j is none', (url, settings) => {
    expect(proxyOf(url, settings)).toBeUndefined();
  });

  it('sends the name and the password to the proxy, and shows them nowhere', () => {
    const proxy = proxyOf('https://api.example', { HTTPS_PROXY: 'http://me:p%40ss@proxy:3128' });
    expect(proxy?.headers).toEqual({
      'proxy-authorization': `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    });
    expect(proxy?.label).toBe('proxy http://proxy:3128 (HTTPS_PROXY)');
    expect(proxyOf('https://api.example', both)?.headers).toEqual({});
  });
});

describe('proxyProblem', () => {
  it.each([undefined, 'http://proxy', 'https://me:secret@proxy:3128/', 'proxy:3128', '[fd00::7]:3128'])(
    'finds none in %j',
    (value) => {
      expect(proxyProblem('HTTPS_PROXY', value)).toBe(false);
    },
  );

  it.each(['socks5://me:secret@proxy', 'http://', 'http://me:secret@proxy:port', 'proxy.pac://secret'])(
    'says what is wrong with %j, and not what it is',
    (value) => {
      expect(proxyProblem('HTTPS_PROXY', value)).toBe(
        'HTTPS_PROXY must be an http:// or https:// URL, such as http://proxy.example:3128',
      );
    },
  );
});
