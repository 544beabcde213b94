import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { credentialOf, hasCredential } from './credential.js';

type Fields = readonly (readonly [name: string, value: string])[];

/** A request with these header fields, as Node's parser makes it. */
function requestWith(fields: Fields): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.rawHeaders = fields.flat();
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    const before = request.headers[key];
    if (before === undefined) {
      request.headers[key] = value;
    } else if (key !== 'authorization') {
      request.headers[key] = `${String(before)}, ${value}`;
    }
  }
  return request;
}

describe('credentialOf', () => {
  it.each<[Fields, string | undefined]>([
    [[], undefined],
    [[['Authorization', 'Bearer k1']], 'k1'],
    [[['X-Api-Key', 'k1']], 'k1'],
    [
      [
        ['Authorization', 'Bearer k1'],
        ['x-api-key', 'k1'],
      ],
      'k1',
    ],
    [
      [
        ['Authorization', 'Bearer k1'],
        ['x-api-key', 'k2'],
      ],
      undefined,
    ],
    [
      [
        ['Authorization', 'Basic k1'],
        ['x-api-key', 'k1'],
      ],
      undefined,
    ],
    [
      [
        ['x-api-key', 'k1'],
        ['X-API-KEY', 'k1'],
      ],
      undefined,
    ],
    [
      [
        ['authorization', 'Bearer k1'],
        ['Authorization', 'Bearer k1'],
      ],
      undefined,
    ],
    [[['X-Goog-Api-Key', 'k1']], 'k1'],
    [
      [
        ['x-goog-api-key', 'k1'],
        ['x-api-key', 'k2'],
      ],
      undefined,
    ],
    [
      [
        ['x-goog-api-key', 'k1'],
        ['x-goog-api-key', 'k1'],
      ],
      undefined,
    ],
    [[['x-goog-api-key', '']], undefined],
    [[['x-api-key', '']], undefined],
    [[['x-api-key', 'k 1']], undefined],
    [[['x-api-key', 'Bearer k1']], undefined],
  ])('reads %j as %j', (fields, key) => {
    expect(credentialOf(requestWith(fields))).toBe(key);
  });
});

describe('hasCredential', () => {
  it.each<[Fields, boolean]>([
    [[], false],
    [[['Authorization', 'Basic x']], true],
    [[['x-api-key', '']], true],
    [[['x-goog-api-key', '']], true],
  ])('says of %j %j', (fields, has) => {
    expect(hasCredential(requestWith(fields))).toBe(has);
  });
});
