import { type Observable } from 'rxjs';
import { type UpstreamBatch, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { type DispatchContext } from './upstream-dispatch.js';

/** Brings a prompt to an upstream and its answer back. */
export abstract class Dispatcher {
  /** Milliseconds for which requests are refused since the upstream keeps failing; undefined while they are not. */
  get refusesForMs(): number | undefined {
    return undefined;
  }

  /** Milliseconds for which the upstream has been seen to fail, trials between refusals included; undefined while it serves. */
  get failedForMs(): number | undefined {
    return undefined;
  }

  /** Whether the upstream has answered this process. */
  get hasServed(): boolean {
    return false;
  }

  /**
   * Sends a prompt when subscribed to. Nothing is emitted before the upstream begins to answer; a failure until then is
   * retried where that is safe, a later one ends the stream. All errors are `GatewayError`s: RateLimitError,
   * PromptTooLongError, InvalidRequestError, or InternalError and its subclasses.
   *
   * Unsubscribing, or aborting the signal, cancels everything at once; an abort completes without a `done` event.
   */
  abstract dispatch(request: UpstreamRequest, context: DispatchContext): Observable<UpstreamBatch>;
}
