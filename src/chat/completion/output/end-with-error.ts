import { type ErrorCode } from '../../../common/errors/error-catalog.js';
import { asGatewayError, GatewayError, InternalError } from '../../../common/errors/gateway.errors.js';
import { causesOf } from '../../../common/errors/message-with-causes.js';
import { type RequestOutcome } from '../../../logs/records/request-log-entry.js';
import { type OpenRequestLog } from '../../../logs/request-log.js';
import { type CompletionOutput, type StreamFailure } from './completion-output.js';

/** The answer was given up for a caller whose library sends the request again when its connection breaks. */
export class AnswerDroppedError extends InternalError {
  override name = 'AnswerDroppedError';

  constructor(detail: string) {
    super('answer_echoed', detail);
  }
}

/** Context of the end of a completion: its log entry, and the form of an error. */
export interface CompletionEnd {
  /** See `Caller.signal`. */
  readonly signal: AbortSignal;
  readonly log: OpenRequestLog;
  /** End of a stream that was sent in part. */
  readonly streamFailure: StreamFailure;
  /** HTTP status of an error in the format of the endpoint. */
  errorStatus(this: void, error: GatewayError): number;
}

/**
 * Ends an answer that failed: closes the log entry, tells the caller if bytes have gone out already.
 * @throws GatewayError if nothing has, for the exception filter to answer with a real status code
 */
export function endWithError(
  error: unknown,
  output: CompletionOutput,
  { signal, log, errorStatus, streamFailure }: CompletionEnd,
): void {
  const cause = signal.aborted ? (signal.reason as unknown) : error;
  if (hasLeft(signal)) {
    log.finish('cancelled', output.isCommitted ? { status: 200 } : {});
    return;
  }
  const failure = asGatewayError(cause);
  const isDropped = failure instanceof AnswerDroppedError;
  log.finish(outcomeOf(failure), {
    ...(!isDropped && { status: output.isCommitted ? 200 : errorStatus(failure) }),
    error: { code: failure.code, reason: failure.reason, message: failure.message, ...causeOf(failure) },
  });
  if (isDropped) {
    output.drop();
    return;
  }
  if (!output.isCommitted) {
    throw failure;
  }
  output.fail(failure, streamFailure);
}

const OUTCOMES: Partial<Record<ErrorCode, RequestOutcome>> = {
  rate_limit: 'rate_limited',
  internal_error: 'upstream_error',
};

function outcomeOf(failure: GatewayError): RequestOutcome {
  return failure.reason === 'shutting_down' ? 'shutdown' : (OUTCOMES[failure.code] ?? 'client_error');
}

/** The cause stays inside: callers see only `message`. */
function causeOf(failure: GatewayError): { cause?: string } {
  const cause = causesOf(failure);
  return cause === '' ? {} : { cause };
}

/** Whether the caller has left; any other end of an answer has a reason. */
export function hasLeft(signal: AbortSignal): boolean {
  return signal.aborted && !(signal.reason instanceof GatewayError);
}
