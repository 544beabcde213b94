import { describe, expect, test } from '@jest/globals';
import { parseAllowedHosts } from '../../network/allowed-hosts.js';
import { parseAuthority } from '../../network/authority.js';
import {
  absoluteTarget,
  isCrossSite,
  isHostAllowed,
  isOfProgram,
  isProbeTarget,
  isSameOrigin,
} from './host-origin.js';

describe('isHostAllowed', () => {
  const allowed = (
    host: string,
    { listenHost = '127.0.0.1', allowedHosts = '', localAddress = '127.0.0.1' } = {},
  ): boolean => {
    const authority = parseAuthority(host);
    return (
      authority !== undefined &&
      isHostAllowed(authority, { listenHost, localAddress, allowedHosts: parseAllowedHosts(allowedHosts) })
    );
  };

  test.each(['localhost', 'localhost:1', 'LOCALHOST', '127.0.0.1:9', '[::1]:3', '[::ffff:127.0.0.1]'])(
    'loopback name %s is always allowed',
    (host) => expect(allowed(host)).toBe(true),
  );

  test.each([
    'evil.example',
    'localhost.evil.example',
    'evil-localhost',
    'localhost.',
    '127.0.0.1.nip.io',
    '127.0.0.2',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0.0.0.0',
    '[::]',
    '[::2]',
    '10.0.0.5',
  ])('%s is not', (host) => expect(allowed(host)).toBe(false));

  test.each([
    ['gateway.lan', { listenHost: 'gateway.lan' }, true],
    ['GATEWAY.lan:5', { listenHost: 'Gateway.LAN' }, true],
    ['other.lan', { listenHost: 'gateway.lan' }, false],
    ['0.0.0.0', { listenHost: '0.0.0.0' }, false],
    ['[::]', { listenHost: '::' }, false],
    ['10.0.0.5:26405', { listenHost: '0.0.0.0', localAddress: '10.0.0.5' }, true],
    ['10.0.0.5', { listenHost: '::', localAddress: '::ffff:10.0.0.5' }, true],
    ['[fe80::1]', { listenHost: '::', localAddress: 'FE80::0001' }, true],
    ['10.0.0.6', { listenHost: '0.0.0.0', localAddress: '10.0.0.5' }, false],
    ['10.0.0.5', { listenHost: '0.0.0.0', localAddress: undefined }, false],
    ['a.example', { allowedHosts: 'a.example' }, true],
    ['A.example:99', { allowedHosts: ' b.example , a.EXAMPLE ' }, true],
    ['a.example:99', { allowedHosts: 'a.example:98' }, false],
    ['a.example', { allowedHosts: 'a.example:98' }, false],
    ['a.example:98', { allowedHosts: 'a.example:98' }, true],
    ['sub.a.example', { allowedHosts: 'a.example' }, false],
    ['[fd00::2]', { allowedHosts: 'fd00::2' }, true],
    ['[fd00::2]', { allowedHosts: '[fd00:0::2]' }, true],
    ['evil.example', { allowedHosts: '*' }, true],
    ['evil.example', { allowedHosts: 'a.example, *' }, true],
    ['evil.example', { allowedHosts: '*.example' }, false],
    ['evil.example', { allowedHosts: ',,' }, false],
  ])('%s with %j: %s', (host, rules, expected) => expect(allowed(host, rules)).toBe(expected));
});

describe('isSameOrigin', () => {
  test.each([
    ['http://localhost:26405', 'localhost:26405', true],
    ['http://LOCALHOST:26405', 'localhost:26405', true],
    ['http://localhost', 'localhost', true],
    ['http://localhost', 'localhost:80', true],
    ['https://gateway.example', 'gateway.example', true],
    ['https://gateway.example', 'gateway.example:443', true],
    ['http://[::1]:1', '[::1]:1', true],
    ['http://localhost:3000', 'localhost:26405', false],
    ['http://localhost', 'localhost:26405', false],
    ['http://127.0.0.1:26405', 'localhost:26405', false],
    ['http://evil.example', 'localhost:26405', false],
    ['http://localhost:26405.evil.example', 'localhost:26405', false],
    ['http://localhost:26405@evil.example', 'localhost:26405', false],
    ['http://localhost:26405/', 'localhost:26405', false],
    ['http://localhost:26405, http://evil.example', 'localhost:26405', false],
    ['chrome-extension://localhost:26405', 'localhost:26405', false],
    ['file://', 'localhost', false],
    ['//localhost', 'localhost', false],
    ['localhost', 'localhost', false],
    ['null', 'localhost', false],
    ['null', 'null', false],
    ['', 'localhost', false],
  ])('%j with Host %s: %s', (origin, host, expected) => {
    const authority = parseAuthority(host);
    expect(authority && isSameOrigin(origin, authority)).toBe(expected);
  });
});

describe('isCrossSite', () => {
  test.each([
    ['cross-site', true],
    ['Cross-Site', true],
    ['none, cross-site', true],
    ['same-origin', false],
    ['same-site', false],
    ['none', false],
    ['', false],
  ])('of %j is %s', (value, expected) => {
    expect(isCrossSite(value)).toBe(expected);
  });
});

describe('isOfProgram', () => {
  test.each([
    [{}, true],
    [{ 'sec-fetch-mode': 'cors' }, true],
    [{ origin: 'null' }, false],
    [{ 'sec-fetch-site': 'same-origin' }, false],
  ])('%j: %s', (headers, expected) => {
    expect(isOfProgram(headers)).toBe(expected);
  });
});

describe('absoluteTarget', () => {
  test.each([
    ['/v1/models', undefined],
    ['//evil.example/v1', undefined],
    ['*', undefined],
    ['http://localhost:1/v1', { authority: { name: 'localhost', port: 1 } }],
    ['HTTPS://a.example?x', { authority: { name: 'a.example' } }],
    ['http:///v1', { authority: undefined }],
    ['http://a@b/v1', { authority: undefined }],
    ['ftp://a/v1', { authority: undefined }],
  ])('of %s', (url, expected) => {
    expect(absoluteTarget(url)).toEqual(expected);
  });
});

describe('isProbeTarget', () => {
  test.each(['/health', '/health/live', '/health/ready', '/health/ready?from=balancer'])('%s is one', (url) =>
    expect(isProbeTarget(url)).toBe(true),
  );

  test.each([
    '/',
    '/healthy',
    '/health/',
    '/health/ready/',
    '/health/other',
    '/v1/health',
    '//health',
    'http://a/health',
  ])('%s is none', (url) => expect(isProbeTarget(url)).toBe(false));
});
