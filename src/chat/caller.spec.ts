import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { type CallerTraits, callerTraits } from './caller.js';

function traitsOf(headers: IncomingHttpHeaders, body: unknown = {}): CallerTraits {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return callerTraits(request, body);
}

describe('callerTraits', () => {
  it('knows a library that repeats requests', () => {
    expect(traitsOf({ 'user-agent': 'OpenAI/JS 7.57.0' })).toMatchObject({
      client: 'OpenAI/JS',
      habits: { retriesUnanswered: true },
    });
    expect(traitsOf({}).habits.retriesUnanswered).toBe(false);
    expect(traitsOf({}).client).toBeUndefined();
  });

  it('tells requests and callers apart', () => {
    const digests = [
      traitsOf({ authorization: 'Bearer a' }, { model: 'm' }),
      traitsOf({ authorization: 'Bearer a' }, { model: 'n' }),
      traitsOf({ authorization: 'Bearer b' }, { model: 'm' }),
      traitsOf({ authorization: 'Bearer a', 'user-agent': 'x' }, { model: 'm' }),
    ].map(({ requestDigest }) => requestDigest());
    expect(new Set(digests).size).toBe(4);
    expect(traitsOf({ authorization: 'Bearer a' }, { model: 'm' }).requestDigest()).toBe(digests[0]);
  });

  it('bounds what it takes from a user agent', () => {
    expect(traitsOf({ 'user-agent': 'x'.repeat(1000) }).client).toHaveLength(60);
    expect(traitsOf({ 'user-agent': 'curl/8.5.0 (x)' }).client).toBe('curl/8.5.0');
  });

  it('lets a caller switch compression off, and refuses other words', () => {
    expect(traitsOf({ 'x-gateway-compression': 'off' }).wantsCompression).toBe(false);
    expect(traitsOf({ 'x-gateway-compression': 'on' }).wantsCompression).toBe(true);
    expect(() => traitsOf({ 'x-gateway-compression': 'no' })).toThrow(
      expect.objectContaining({ param: 'x-gateway-compression' }),
    );
  });
});
