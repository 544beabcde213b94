import { describe, expect, it } from '@jest/globals';
import { guessFormat, recordsOf } from './stream-guess.js';

describe('guessFormat', () => {
  it.each([
    ['text/event-stream; charset=utf-8', 'anything', 'sse'],
    ['', 'data: {"a":1}\n\n', 'sse'],
    ['text/plain', ': ping\n\nevent: delta\ndata: x\n\n', 'sse'],
    ['application/x-ndjson', '{"a":1}\n', 'ndjson'],
    ['application/json', '{"a":1}\n{"a":2}\n{"a', 'ndjson'],
    ['application/json', '{"a":1}', 'json'],
    ['application/json', '[{"a":1}]', 'json'],
    ['application/json', '{"a":1}{"a":{"b":2}}', 'objects'],
    ['application/connect+json', '\0\0\0\0\x07{"a":1}\0\0\0\0\x07{"a":2}', 'objects'],
    ['text/plain', 'Hello there', 'text'],
    ['text/html', '<p>Hello</p>', undefined],
    ['application/octet-stream', 'Hello', undefined],
    ['application/json', ' ', undefined],
  ])('takes %j with %j for %s', (type, body, format) => {
    expect(guessFormat(type, body)).toBe(format);
  });
});

describe('recordsOf', () => {
  it('cuts a body as the driver does', () => {
    expect(recordsOf('sse', 'event: a\ndata: 1\n\ndata: 2\n\n')).toEqual([
      { data: '1', event: 'a' },
      { data: '2', event: 'message' },
    ]);
    expect(recordsOf('ndjson', '{"a":1}\n\n{"a":2}\n')).toEqual([
      { data: '{"a":1}', event: 'message' },
      { data: '{"a":2}', event: 'message' },
    ]);
  });
});
