import { describe, expect, it } from '@jest/globals';
import { basicAuthorization } from './basic-authorization.js';

describe('basicAuthorization', () => {
  it.each([
    ['http://host', {}],
    ['http://user:a%40b@host', { authorization: `Basic ${btoa('user:a@b')}` }],
    ['http://user:100%@host', { authorization: `Basic ${btoa('user:100%')}` }],
  ])('of %s', (url, expected) => {
    expect(basicAuthorization(new URL(url))).toEqual(expected);
  });
});
