import { describe, expect, it } from '@jest/globals';
import { collectorHeadersProblem, parseCollectorHeaders } from './collector-headers.js';

describe('parseCollectorHeaders', () => {
  it.each([
    ['', {}],
    [' , ', {}],
    ['x-key=a%20key', { 'x-key': 'a key' }],
    ['a=1, b = x=y= ,', { a: '1', b: 'x=y=' }],
    ['a=', { a: '' }],
  ])('reads %j', (list, headers) => {
    expect(collectorHeadersProblem(list)).toBe(false);
    expect(parseCollectorHeaders(list)).toEqual(headers);
  });
});

describe('collectorHeadersProblem', () => {
  it.each([
    ['secret', 1],
    ['a=1,=secret', 2],
    ['a=1,,bad name=secret', 2],
    ['a=secret%', 1],
    ['a=secret%0A', 1],
    ['a=%E2%82%ACsecret', 1],
  ])('of %j names entry %i, and quotes nothing', (list, entry) => {
    expect(collectorHeadersProblem(list)).toBe(
      `OTEL_EXPORTER_OTLP_HEADERS must be a list of name=value, separated by commas, with values in the encoding of URLs: entry ${entry} is none`,
    );
  });
});
