import { shortened } from '../text/shortened.js';
import { type ErrorCode } from './error-catalog.js';
import { type FailureReason, reasonOf } from './failure-reasons.js';

/** Longest message: what it quotes of a request may be of any length. */
const MAX_MESSAGE_CHARS = 1000;
/** Longest id that a message names. */
const MAX_ID_CHARS = 100;
/** Set while the gateway stops, so that a balancer or a supervisor routes the next request elsewhere. */
const SHUTDOWN_RETRY_MS = 1000;

export interface GatewayErrorOptions {
  /** By default the code; `rate_limited` and `gateway_failed` for the two codes that say too little. */
  readonly reason?: FailureReason;
  /** Name of the request field at fault, e.g. `messages[3].tool_call_id`. */
  readonly param?: string;
  /** Milliseconds until the request may be sent again, where that is known. */
  readonly retryAfterMs?: number | undefined;
  /** False if a retry would be refused again at any time; true by default. */
  readonly isRetryable?: boolean;
  /** Methods that the path accepts. */
  readonly allowedMethods?: readonly string[];
  /** Kept for the log; never shown to the caller. */
  readonly cause?: unknown;
}

/**
 * Base of every failure that is reported to callers. It has a code and facts; an answer over HTTP is made of them elsewhere.
 * `message` is shown to the caller and must contain no secret, path or upstream body.
 */
export class GatewayError extends Error {
  override name = 'GatewayError';
  readonly code: ErrorCode;
  readonly param?: string;
  readonly reason: FailureReason;
  readonly retryAfterMs?: number;
  readonly isRetryable: boolean;
  readonly allowedMethods?: readonly string[];

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(shortened(message, MAX_MESSAGE_CHARS), { cause: options.cause });
    this.code = code;
    this.param = options.param;
    this.reason = options.reason ?? reasonOf(code);
    this.retryAfterMs = options.retryAfterMs;
    this.isRetryable = options.isRetryable ?? true;
    this.allowedMethods = options.allowedMethods;
  }
}

/** A request that breaks the contract; `param` names the field where there is one. */
export class InvalidRequestError extends GatewayError {
  override name = 'InvalidRequestError';

  constructor(message: string, param?: string, options: Pick<GatewayErrorOptions, 'cause' | 'reason'> = {}) {
    super('invalid_request', message, { ...options, ...(param !== undefined && { param }) });
  }
}

/** The response that a request continues is not there; its client sends the whole conversation then. */
export class PreviousResponseNotFoundError extends GatewayError {
  override name = 'PreviousResponseNotFoundError';

  constructor(id: string) {
    const named = shortened(id, MAX_ID_CHARS);
    super('previous_response_not_found', `Previous response with id '${named}' not found.`, {
      param: 'previous_response_id',
    });
  }
}

/**
 * Never two numbers that contradict one another: what is not known is not said. Some clients know the failure by the first
 * words, others by the last, and Copilot CLI and LangChain for Python by those in between. Those that read how much is to
 * go, such as crush, want the two numbers in the words of OpenAI, with nothing else in between.
 */
function contextMessage(modelId: string, maxTokens: number | undefined, tokens: number): string {
  const advice = `(model ${modelId}): the prompt is too long. Please reduce the length of the messages.`;
  if (maxTokens === undefined) {
    return `The input exceeds this model's maximum context length ${advice}`;
  }
  const limit = `This model's maximum context length is ${maxTokens} tokens. However,`;
  return tokens > maxTokens
    ? `${limit} your messages resulted in ${tokens} tokens by estimate ${advice}`
    : `${limit} the input and the answer that is asked for exceed it together ${advice}`;
}

/** The prompt does not fit the model. Coding agents compact their history on exactly this wording. */
export class ContextWindowExceededError extends GatewayError {
  override name = 'ContextWindowExceededError';
  /** The model's limit; undefined if an upstream refused the prompt without naming it. */
  readonly maxTokens: number | undefined;
  /** Of the prompt; an upstream that wants room for the answer refuses also what is below its limit. */
  readonly estimatedTokens: number;

  /** @param param field of the caller's format that holds the conversation */
  constructor(modelId: string, maxTokens: number | undefined, estimatedTokens: number, param: string) {
    super('context_window_exceeded', contextMessage(modelId, maxTokens, estimatedTokens), { param });
    this.maxTokens = maxTokens;
    this.estimatedTokens = estimatedTokens;
  }
}

export class ModelNotFoundError extends GatewayError {
  override name = 'ModelNotFoundError';

  constructor(modelId: string) {
    const message = `The model '${modelId}' does not exist. GET /v1/models lists the available ones.`;
    super('model_not_found', message, { param: 'model' });
  }
}

/** The gateway's own answer 429: a limit of a key or of the gateway is reached, or every account is cooling. */
export class TooManyRequestsError extends GatewayError {
  override name = 'TooManyRequestsError';

  constructor(message: string, retryAfterMs?: number, options: GatewayErrorOptions = {}) {
    super('rate_limit', message, { ...options, retryAfterMs });
  }
}

/**
 * Browser automation failure, upstream failure or exhausted pool: answered 500. Its message begins with "Internal server
 * error: ", since agents retry a failure by these words.
 */
export class InternalError extends GatewayError {
  override name = 'InternalError';

  /** @param what sentence that says what happened, beginning in lower case */
  constructor(
    reason: FailureReason,
    readonly what: string,
    { retryAfterMs, cause }: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super('internal_error', `Internal server error: ${what}`, { reason, retryAfterMs, cause });
  }
}

/** The gateway stops, most often for a restart. */
export class ShutdownError extends InternalError {
  override name = 'ShutdownError';

  constructor(cause?: unknown) {
    super('shutting_down', 'the gateway is restarting. Please retry.', {
      retryAfterMs: SHUTDOWN_RETRY_MS,
      cause,
    });
  }
}

/** The error itself if it may be reported to callers; any other becomes an internal error. */
export function asGatewayError(error: unknown): GatewayError {
  return error instanceof GatewayError
    ? error
    : new InternalError('gateway_failed', 'the gateway failed to process the request.', { cause: error });
}
