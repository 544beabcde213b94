import { describe, expect, test } from '@jest/globals';
import { isJsonMediaType } from './json-media-type.js';

describe('isJsonMediaType', () => {
  test.each([
    'application/json',
    'Application/JSON',
    ' application/json ',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; boundary=x; charset=utf-8',
    'application/json; profile="a b"',
  ])('%j is JSON', (type) => {
    expect(isJsonMediaType(type)).toBe(true);
  });

  test.each([
    '',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/ld+json',
    'application/json+x',
    'application/jsonp',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; charset=',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset',
    'application/json; =utf-8',
    'application/json; a="b',
    'application /json',
    '*/*',
  ])('%j is not', (type) => {
    expect(isJsonMediaType(type)).toBe(false);
  });
});
