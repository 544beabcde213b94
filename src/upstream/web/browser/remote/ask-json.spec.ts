import { describe, expect, it } from '@jest/globals';
import { authorization } from './ask-json.js';

describe('authorization', () => {
  it.each([
    ['http://host', {}],
    ['http://user:a%40b@host', { authorization: `Basic ${btoa('user:a@b')}` }],
    ['http://user:100%@host', { authorization: `Basic ${btoa('user:100%')}` }],
  ])('of %s', (url, expected) => {
    expect(authorization(new URL(url))).toEqual(expected);
  });
});
