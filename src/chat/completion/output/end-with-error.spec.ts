import { describe, expect, it } from '@jest/globals';
import { LogRecorder, OutputRecorder } from '../../../../test/support/watch/output-recorder.js';
import { DEFAULT_ERROR_FORMAT } from '../../../common/errors/error-format.js';
import {
  ContextWindowExceededError,
  type GatewayError,
  InternalError,
  InvalidRequestError,
  ShutdownError,
  TooManyRequestsError,
} from '../../../common/errors/gateway.errors.js';
import { type RequestOutcome } from '../../../logs/records/request-log-entry.js';
import { endWithError } from './end-with-error.js';

const { signal } = new AbortController();
const end = {
  signal,
  errorStatus: (error: GatewayError) => DEFAULT_ERROR_FORMAT.status(error),
  streamFailure: 'event_and_cut',
} as const;

describe('endWithError', () => {
  it.each<[string, GatewayError, RequestOutcome, number]>([
    ['a rate limit', new TooManyRequestsError('Slow down.', 5000), 'rate_limited', 429],
    ['an upstream failure', new InternalError('upstream_cut', 'it broke.'), 'upstream_error', 500],
    ['a prompt too long', new ContextWindowExceededError('svc-max', 10, 20, 'messages'), 'client_error', 400],
    ['a shutdown', new ShutdownError(), 'shutdown', 500],
  ])('throws %s while the status can still be told', (_what, error, outcome, status) => {
    const log = new LogRecorder();
    const output = new OutputRecorder();
    expect(() => endWithError(error, output, { ...end, log })).toThrow(error);
    expect(output.calls).toEqual([]);
    expect(log.outcomes).toEqual([outcome]);
    const { code, reason, message } = error;
    expect(log.details).toEqual({ status, error: { code, reason, message } });
  });

  it('tells a caller to whom bytes have gone in the stream', () => {
    const log = new LogRecorder();
    const output = new OutputRecorder();
    output.begin();
    endWithError(
      new InternalError('upstream_cut', 'it broke.', { cause: new Error('socket hang up') }),
      output,
      { ...end, log },
    );
    expect(output.calls).toEqual([
      ['begin'],
      ['fail', 'internal_error', 'Internal server error: it broke.', 'event_and_cut'],
    ]);
    expect(log.outcomes).toEqual(['upstream_error']);
    expect(log.details).toEqual({
      status: 200,
      error: {
        code: 'internal_error',
        reason: 'upstream_cut',
        message: 'Internal server error: it broke.',
        cause: 'socket hang up',
      },
    });
  });

  it('tells the log of no cause that says the same', () => {
    const log = new LogRecorder();
    const cause = new Error('The upstream refused the request.');
    const error = new InvalidRequestError(cause.message, undefined, { cause, reason: 'upstream_refused' });
    expect(() => endWithError(error, new OutputRecorder(), { ...end, log })).toThrow(error);
    expect(log.details.error).not.toHaveProperty('cause');
  });

  it('shows nothing of an unexpected error to the caller, and its cause to the log', () => {
    const log = new LogRecorder();
    const bug = new TypeError('x is undefined');
    let thrown: unknown;
    try {
      endWithError(bug, new OutputRecorder(), { ...end, log });
    } catch (error) {
      thrown = error;
    }
    const message = 'Internal server error: the gateway failed to process the request.';
    expect(thrown).toMatchObject({ code: 'internal_error', message, cause: bug });
    expect(log.details.error).toEqual({
      code: 'internal_error',
      reason: 'gateway_failed',
      message,
      cause: 'x is undefined',
    });
  });

  it.each([true, false])('says nothing to a caller who left, committed: %s', (isCommitted) => {
    const log = new LogRecorder();
    const output = new OutputRecorder();
    output.isCommitted = isCommitted;
    endWithError(new Error('aborted'), output, { ...end, signal: AbortSignal.abort(), log });
    expect(output.calls).toEqual([]);
    expect(log.outcomes).toEqual(['cancelled']);
    expect(log.details).toEqual(isCommitted ? { status: 200 } : {});
  });

  it('tells the caller why the gateway itself ended the answer, whatever the error looked like', () => {
    const log = new LogRecorder();
    const output = new OutputRecorder();
    output.begin();
    endWithError(new Error('aborted'), output, {
      ...end,
      signal: AbortSignal.abort(new ShutdownError()),
      log,
    });
    expect(output.calls.at(-1)).toEqual([
      'fail',
      'internal_error',
      'Internal server error: the gateway is restarting. Please retry.',
      'event_and_cut',
    ]);
    expect(log.outcomes).toEqual(['shutdown']);
  });
});
