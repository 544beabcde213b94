import { describe, expect, it } from '@jest/globals';
import { type UnavailableFault } from '../../unavailable-fault.js';
import { UnavailableError } from '../../upstream.errors.js';
import { RefusedError } from '../browser/boundary/egress-policy.js';
import { withCause } from './connection-cause.js';

const failed = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });
const unavailable = (fault: UnavailableFault): UnavailableError =>
  new UnavailableError(fault, 'goto x: failed');

describe('withCause', () => {
  it.each([
    [failed('ECONNREFUSED'), 'connect_failed', 'goto x: failed (connect ECONNREFUSED)'],
    [
      new AggregateError([failed('EHOSTUNREACH'), failed('ENETUNREACH')]),
      'connect_failed',
      'goto x: failed (connect EHOSTUNREACH, connect ENETUNREACH)',
    ],
    [failed('EMFILE'), 'local_resources', expect.any(String)],
    [
      new RefusedError('http://y/: not in allowedOrigins'),
      'page_failed',
      'goto x: failed (http://y/: not in allowedOrigins)',
    ],
  ])('tells of a page that got no connection: %s', (cause, fault, message) => {
    expect(withCause(unavailable('connect_failed'), { failure: cause })).toMatchObject({
      fault,
      message,
      cause,
    });
  });

  it.each([
    [failed('ECONNREFUSED'), 'connect_failed'],
    [failed('EMFILE'), 'local_resources'],
    [failed('ECONNRESET'), 'stream_reset'],
    [new RefusedError('http://tracker/: not in allowedOrigins'), 'stream_reset'],
  ])('tells a prompt that did not get away from one that broke off: %s', (cause, fault) => {
    expect(withCause(unavailable('stream_reset'), { failure: cause })).toMatchObject({ fault });
  });

  it('blames the machine if a browser does not reach the boundary, as without descriptors', () => {
    const error = new UnavailableError(
      'connect_failed',
      'goto x: net::ERR_PROXY_CONNECTION_FAILED at http://x/',
    );
    expect(withCause(error, { failure: undefined })).toMatchObject({
      fault: 'local_resources',
      cause: error,
    });
    expect(withCause(error, undefined)).toBe(error);
  });

  it('leaves what is about something else, or has no known cause, as it is', () => {
    const other = unavailable('page_timeout');
    expect(withCause(other, { failure: failed('EMFILE') })).toBe(other);
    const unknown = unavailable('connect_failed');
    expect(withCause(unknown, { failure: undefined })).toBe(unknown);
    expect(withCause(unknown, undefined)).toBe(unknown);
  });
});
