import { shortened } from '../text/shortened.js';
import { type ErrorCode } from './error-catalog.js';
import { type FailureReason, reasonOf } from './failure-reasons.js';

/** Longest message: what it quotes of a request may be of any length. */
const MAX_MESSAGE_CHARS = 1000;
/** Longest id that a message names. */
const MAX_ID_CHARS = 100;

export interface GatewayErrorOptions {
  /** By default the code; `rate_limited` and `gateway_failed` for the two codes that say too little. */
  readonly reason?: FailureReason;
  /** Name of the request field at fault, e.g. `messages[3].tool_call_id`. */
  readonly param?: string;
  /** Extra response headers, e.g. `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Kept for the log; never shown to the caller. */
  readonly cause?: unknown;
}

/**
 * Base of every failure that callers are told of. It has a code and knows nothing of HTTP; `message` is shown to the
 * caller and must contain no secret, path or upstream body.
 */
export class GatewayError extends Error {
  override name = 'GatewayError';
  readonly code: ErrorCode;
  readonly param?: string;
  readonly reason: FailureReason;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(shortened(message, MAX_MESSAGE_CHARS), { cause: options.cause });
    this.code = code;
    this.param = options.param;
    this.reason = options.reason ?? reasonOf(code);
    this.headers = options.headers ?? {};
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
 * words, others by the last, and Copilot CLI and LangChain for Python by those in between.
 */
function contextMessage(modelId: string, maxTokens: number | undefined, tokens: number): string {
  const advice = 'the prompt is too long. Please reduce the length of the messages.';
  if (maxTokens === undefined) {
    return `The input exceeds this model's maximum context length (model ${modelId}): ${advice}`;
  }
  const limit = `This model's maximum context length is ${maxTokens} tokens (model ${modelId}).`;
  return tokens > maxTokens
    ? `${limit} However, the estimated input is ${tokens} tokens: ${advice}`
    : `${limit} However, the input and the answer that is asked for exceed it together: ${advice}`;
}

/** The prompt does not fit the model. Coding agents compact their history on exactly this wording. */
export class ContextWindowExceededError extends GatewayError {
  override name = 'ContextWindowExceededError';
  /** The model's limit; undefined if an upstream refused the prompt without naming it. */
  readonly maxTokens: number | undefined;
  /** Of the prompt; an upstream that wants room for the answer refuses also what is below its limit. */
  readonly estimatedTokens: number;

  constructor(modelId: string, maxTokens: number | undefined, estimatedTokens: number) {
    super('context_window_exceeded', contextMessage(modelId, maxTokens, estimatedTokens), {
      param: 'messages',
    });
    this.maxTokens = maxTokens;
    this.estimatedTokens = estimatedTokens;
  }
}

export class ModelNotFoundError extends GatewayError {
  override name = 'ModelNotFoundError';

  constructor(modelId: string) {
    super(
      'model_not_found',
      `The model '${modelId}' does not exist. GET /v1/models lists the available ones.`,
      {
        param: 'model',
      },
    );
  }
}

/** Too many requests, or every account is cooling. `retryAfterMs` becomes `Retry-After` (whole seconds, rounded up). */
export class RateLimitError extends GatewayError {
  override name = 'RateLimitError';

  constructor(message: string, retryAfterMs?: number, options: GatewayErrorOptions = {}) {
    super('rate_limit', message, {
      ...options,
      headers: { ...options.headers, ...retryHeaders(retryAfterMs) },
    });
  }
}

/** The common SDKs ignore a `Retry-After` over 60 s and hammer instead; `x-should-retry` stops them. */
function retryHeaders(retryAfterMs: number | undefined): Record<string, string> {
  if (retryAfterMs === undefined) {
    return {};
  }
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return { 'Retry-After': String(seconds), ...(seconds > 60 ? { 'x-should-retry': 'false' } : {}) };
}

/**
 * Browser automation failure, upstream failure or exhausted pool: answered 500. Its message begins with "Internal server
 * error: ", since agents retry a failure by these words.
 */
export class InternalError extends GatewayError {
  override name = 'InternalError';

  /**
   * @param what sentence that says what happened, beginning in lower case
   * @param options `retryAfterMs` becomes `Retry-After`
   */
  constructor(
    reason: FailureReason,
    what: string,
    { retryAfterMs, cause }: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    const headers = retryHeaders(retryAfterMs);
    super('internal_error', `Internal server error: ${what}`, { reason, headers, cause });
  }
}

/** The error itself where callers may be told of it; any other is a fault of the gateway's own. */
export function asGatewayError(error: unknown): GatewayError {
  return error instanceof GatewayError
    ? error
    : new InternalError('gateway_failed', 'the gateway failed.', { cause: error });
}
