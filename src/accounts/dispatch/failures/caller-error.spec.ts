import { describe, expect, it } from '@jest/globals';
import { type FailureReason } from '../../../common/errors/failure-reasons.js';
import { ShutdownError, TooManyRequestsError } from '../../../common/errors/gateway.errors.js';
import { type UnavailableFault } from '../../../upstream/unavailable-fault.js';
import {
  LocalResourceError,
  LoginReplacedError,
  LoginRequiredError,
  RateLimitedError,
  RejectedError,
  UnavailableError,
} from '../../../upstream/upstream.errors.js';
import { toCallerError } from './caller-error.js';

const limited = new TooManyRequestsError('Later.', 1000);
const context = {
  limits: { UPSTREAM_FIRST_BYTE_MS: 60_000, UPSTREAM_IDLE_MS: 1500 },
  rateLimit: () => limited,
};
const unavailable = (fault: UnavailableFault): UnavailableError =>
  new UnavailableError(fault, '#secret > selector');
/** As a recording of an earlier version may hold it. */
const UNKNOWN = 'never_heard_of' as UnavailableFault;
const ENDLESS = 'the upstream did not come to the end of its answer in time.';
const CLOSED = 'the session of this request was closed. Please retry.';

describe('toCallerError', () => {
  it.each<[Error, FailureReason, string]>([
    [unavailable('connect_failed'), 'upstream_unreachable', 'the upstream cannot be reached.'],
    [
      unavailable('first_byte_timeout'),
      'upstream_timeout',
      'the upstream was silent for 60 s and did not begin to answer.',
    ],
    [unavailable('site_silent'), 'upstream_timeout', 'the upstream did not begin to answer in time.'],
    [unavailable('open_timeout'), 'upstream_timeout', 'the upstream did not begin to answer in time.'],
    [unavailable('stream_idle'), 'upstream_idle', 'the upstream was silent for 1.5 s within its answer.'],
    [unavailable('truncated'), 'upstream_cut', 'the upstream cut its answer off.'],
    [unavailable('garbled_answer'), 'upstream_garbled', 'the upstream sent something that cannot be read.'],
    [unavailable('upstream_status_503'), 'upstream_overloaded', 'the upstream is overloaded.'],
    [unavailable('upstream_status_500'), 'upstream_error', 'the upstream failed to answer.'],
    [unavailable(UNKNOWN), 'upstream_error', 'the upstream failed to answer.'],
    [new TypeError('a bug'), 'upstream_error', 'the upstream failed to answer.'],
    [
      unavailable('browser_not_found'),
      'browser_missing',
      'the gateway has no browser to start; its operator must install one.',
    ],
    [unavailable('page_crashed'), 'browser_failed', 'the browser of the gateway failed.'],
    [
      unavailable('prompt_refused'),
      'site_changed',
      'the page of the upstream is not as its recipe describes it.',
    ],
    [
      new LoginRequiredError('login_wall', 'wall'),
      'login_lost',
      'an account of the upstream lost its login.',
    ],
    [new LoginReplacedError('403'), 'login_lost', 'an account of the upstream lost its login.'],
    [
      new LocalResourceError(new Error('EMFILE')),
      'local_resources',
      'the gateway is short of resources at this moment. Please retry.',
    ],
    [unavailable('account_handed_over'), 'session_lost', CLOSED],
    [unavailable('session_closed'), 'session_lost', CLOSED],
    [unavailable('aborted'), 'session_lost', CLOSED],
    [unavailable('stopped'), 'session_lost', CLOSED],
    [unavailable('open_failed'), 'gateway_failed', 'the gateway failed to open a session.'],
    [unavailable('no_progress'), 'upstream_endless', ENDLESS],
    [unavailable('answer_endless'), 'upstream_endless', ENDLESS],
    [unavailable('shutdown'), 'shutting_down', 'the gateway is restarting. Please retry.'],
  ])('tells of %p as %s', (cause, reason, what) => {
    const told = toCallerError(cause, context);
    expect(told).toMatchObject({
      code: 'internal_error',
      reason,
      message: `Internal server error: ${what}`,
      cause,
    });
  });

  it('tells when an overloaded upstream wants to be asked again', () => {
    const cause = new UnavailableError('upstream_status_503', '', { retryAfterMs: 7000 });
    expect(toCallerError(cause, context)).toMatchObject({
      reason: 'upstream_overloaded',
      retryAfterMs: 7000,
    });
  });

  it('sends callers of a gateway that stops to another one soon', () => {
    const told = toCallerError(unavailable('shutdown'), context);
    expect(told).toBeInstanceOf(ShutdownError);
    expect(told.retryAfterMs).toBe(1000);
  });

  it('leaves rate limits to the pool, and names what the upstream refuses', () => {
    expect(toCallerError(new RateLimitedError(), context)).toBe(limited);
    expect(toCallerError(new RejectedError('unsupported', 'No pictures.'), context)).toMatchObject({
      code: 'invalid_request',
      reason: 'upstream_refused',
      message: 'No pictures.',
    });
    expect(toCallerError(new RejectedError('model_refused', 'No such model.'), context)).toMatchObject({
      code: 'invalid_request',
      reason: 'upstream_refused',
      message: 'No such model.',
      param: 'model',
    });
    expect(toCallerError(new RejectedError('prompt_altered', 'Another text.'), context)).toMatchObject({
      code: 'invalid_request',
      reason: 'upstream_refused',
    });
    expect(toCallerError(new RejectedError('too_long', 'x'), context)).toMatchObject({
      code: 'context_window_exceeded',
      reason: 'context_window_exceeded',
    });
  });
});
