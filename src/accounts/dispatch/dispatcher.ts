import { type Observable } from 'rxjs';
import { type UpstreamBatch, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { type DispatchContext } from './upstream-dispatch.js';

/** Brings a prompt to an upstream and its answer back. */
export abstract class Dispatcher {
  /**
   * Sends a prompt when subscribed to. Nothing is emitted before the upstream begins to answer; a failure until then is
   * retried where that is safe, a later one ends the stream. All errors are `GatewayError`s: TooManyRequestsError,
   * PromptTooLongError, InvalidRequestError, or InternalError and its subclasses.
   *
   * Unsubscribing, or aborting the signal, cancels everything at once; an abort completes without a `done` event.
   */
  abstract dispatch(request: UpstreamRequest, context: DispatchContext): Observable<UpstreamBatch>;
}
