import { describe, expect, test } from '@jest/globals';
import { parseAuthority } from './authority.js';

describe('parseAuthority', () => {
  test.each([
    ['localhost', { name: 'localhost' }],
    ['LocalHost:26405', { name: 'localhost', port: 26405 }],
    ['127.0.0.1:80', { name: '127.0.0.1', port: 80 }],
    ['[::1]', { name: '::1' }],
    ['[::1]:8080', { name: '::1', port: 8080 }],
    ['[0:0:0:0:0:0:0:1]:1', { name: '::1', port: 1 }],
    ['[::FFFF:127.0.0.1]', { name: '127.0.0.1' }],
    ['my_host.example-1.com', { name: 'my_host.example-1.com' }],
  ])('%s', (text, authority) => {
    expect(parseAuthority(text)).toEqual(authority);
  });

  test.each([
    '',
    ' ',
    ':80',
    'a:b',
    'a:',
    'a:99999',
    'a:-1',
    'a b',
    'a/b',
    'a@b',
    'user@localhost',
    'localhost,evil.example',
    'localhost#x',
    'localhost?x',
    '[::1',
    '::1',
    '[::1]x',
    '[::g]',
    '[1:2]',
    'exämple.com',
    'localhost%00',
    'local\thost',
  ])('%j is none', (text) => {
    expect(parseAuthority(text)).toBeUndefined();
  });
});
