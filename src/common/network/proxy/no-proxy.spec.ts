import { describe, expect, it } from '@jest/globals';
import { isReachedDirectly } from './no-proxy.js';

const direct = (url: string, list = ''): boolean => isReachedDirectly(new URL(url), list);

describe('isReachedDirectly', () => {
  it.each([
    ...['http://localhost:11434', 'http://127.0.0.1', 'http://127.9.9.9', 'http://[::1]:80'],
    ...['https://a.localhost', 'http://LOCALHOST.', 'http://[::ffff:127.0.0.1]'],
  ])('is so of this machine, whatever the list says: %s', (url) => {
    expect(direct(url)).toBe(true);
  });

  it.each([
    ['https://api.example', 'api.example'],
    ['https://api.example', 'example'],
    ['https://api.example', '.api.example'],
    ['https://a.b.example', 'b.example'],
    ['https://a.b.example', '.b.example'],
    ['https://a.b.example', '*.b.example'],
    ['https://API.example.', 'api.EXAMPLE.'],
    ['https://api.example', 'other.example, api.example'],
    ['https://api.example', 'other.example api.example'],
    ['https://api.example', 'other.example,*'],
    ['https://api.example', 'api.example:443'],
    ['http://api.example', 'api.example:80'],
    ['http://api.example:8080', '.example:8080'],
    ['http://10.1.2.3', '10.1.2.3'],
    ['http://10.1.2.3', '10.0.0.0/8'],
    ['http://[fd00::7]:1234', 'fd00::7'],
    ['http://[fd00::7]:1234', '[fd00:0::7]'],
    ['http://[fd00::7]:1234', '[fd00::7]:1234'],
    ['http://[fd00::7]', 'fd00::/8'],
  ])('is so of %s with %j', (url, list) => {
    expect(direct(url, list)).toBe(true);
  });

  it.each([
    ['https://api.example', ''],
    ['https://api.example', ' , '],
    ['https://api.example', 'pi.example'],
    ['https://api.example', 'a.api.example'],
    ['https://notexample', 'example'],
    ['https://api.example', 'api.example:80'],
    ['http://11.1.2.3', '10.0.0.0/8'],
    ['http://10.1.2.3', '1.2.3'],
    ['http://10.example', '10.0.0.0/8'],
    ['http://[fe00::7]', 'fd00::/8'],
    ['http://10.1.2.3', 'fd00::/8'],
    // No ranges: they exempt nothing.
    ['http://10.1.2.3', '10.0.0.0/33'],
    ['http://10.1.2.3', '10.0.0.0/'],
    ['http://10.1.2.3', 'example/8'],
    ['https://localhost.example', ''],
    ['https://127.0.0.1.example', ''],
  ])('is not so of %s with %j', (url, list) => {
    expect(direct(url, list)).toBe(false);
  });
});
