import { describe, expect, it } from '@jest/globals';
import { endToEndFields, parseForwardTarget, parseTunnelTarget, upgradeFields } from './proxy-target.js';

it.each([
  ['chat.example:443', { host: 'chat.example', port: 443, path: '' }],
  ['CHAT.example:1', { host: 'chat.example', port: 1, path: '' }],
  ['[::1]:65535', { host: '[::1]', port: 65_535, path: '' }],
  ['chat.example', undefined],
  ['chat.example:0', undefined],
  ['chat.example:65536', undefined],
  ['user@chat.example:443', undefined],
  ['::1:443', undefined],
  ['chat.example:443/path', undefined],
  ['256.256.256.256:443', undefined],
  ['', undefined],
])('takes the tunnel to %j for %j', (authority, target) =>
  expect(parseTunnelTarget(authority)).toEqual(target),
);

it.each([
  ['http://chat.example/a?b=c', { host: 'chat.example', port: 80, path: '/a?b=c' }],
  ['http://chat.example', { host: 'chat.example', port: 80, path: '/' }],
  ['http://chat.example:8080?b', { host: 'chat.example', port: 8080, path: '/?b' }],
  ['ws://[::1]:3000/socket', { host: '[::1]', port: 3000, path: '/socket' }],
  ['http://chat.example\\@other.example/', undefined],
  ['http://user:password@chat.example/', undefined],
  ['https://chat.example/', undefined],
  ['http:///path', undefined],
  ['http://a^b/', undefined],
  ['http://a%zz/', undefined],
  ['ws://[::1::2]/', undefined],
  ['/path', undefined],
  ['*', undefined],
])('takes the request for %j for %j', (url, target) => expect(parseForwardTarget(url)).toEqual(target));

describe('header fields', () => {
  const received = [
    ...['Host', 'chat.example'],
    ...['Connection', 'close, X-Hop'],
    ...['Proxy-Connection', 'keep-alive'],
    ...['Proxy-Authorization', 'Basic x'],
    ...['x-hop', '1'],
    ...['Upgrade', 'websocket'],
    ...['Set-Cookie', 'a=1'],
    ...['Set-Cookie', 'b=2'],
    ...['Transfer-Encoding', 'chunked'],
  ];

  it('lose those of one connection, and keep spelling, order and repeats', () => {
    const rest = ['Host', 'chat.example', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'];
    expect(endToEndFields(received)).toEqual([...rest, 'Transfer-Encoding', 'chunked']);
    expect(endToEndFields(received, 'transfer-encoding')).toEqual(rest);
  });

  it('of an upgrade lose those for the proxy alone', () => {
    expect(upgradeFields(received)).toEqual(received.filter((_, at) => at < 4 || at > 7));
  });
});
