import { type GatewayError } from '../../common/errors/gateway.errors.js';
import { retryAdvice } from '../../common/errors/retry-advice.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import {
  type IncompleteReason,
  type OutputItem,
  type RepeatedFields,
  type ResponseObject,
  type ResponseUsage,
} from '../interfaces/response-object.js';
import { responseErrorCode } from '../responses-error-format.js';

/** Fields common to all states of one response. */
export interface ResponseIdentity {
  /** `resp_` with the digits of the request's id. */
  readonly id: string;
  /** Unix time in seconds. */
  readonly createdAt: number;
  /** The same of this moment. */
  readonly now: () => number;
  readonly repeated: RepeatedFields;
}

/** A response in one of its states; the rest is what a response has that has not begun. */
export function toResponse(
  { id, createdAt, repeated }: ResponseIdentity,
  state: Pick<ResponseObject, 'status'> & Partial<ResponseObject>,
): ResponseObject {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    completed_at: null,
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
    ...repeated,
    ...state,
  };
}

/** Why a response is incomplete, by the end of its answer. */
const CUT_BY: Partial<Record<FinishReason, IncompleteReason>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

/** A response whose answer has come to its end. */
export function endedResponse(
  identity: ResponseIdentity,
  output: readonly OutputItem[],
  reason: FinishReason,
  usage: TokenUsage,
): ResponseObject {
  const cut = CUT_BY[reason];
  return toResponse(identity, {
    ...(cut === undefined
      ? { status: 'completed', completed_at: identity.now() }
      : { status: 'incomplete', incomplete_details: { reason: cut } }),
    output,
    usage: toResponseUsage(usage),
  });
}

/** A response that failed after it had begun. */
export function failedResponse(
  identity: ResponseIdentity,
  output: readonly OutputItem[],
  error: GatewayError,
): ResponseObject {
  return toResponse(identity, {
    status: 'failed',
    error: { code: responseErrorCode(error), message: messageOf(error) },
    output,
  });
}

/** In a stream there is no header for the time to wait; clients of the format read it from the message. */
function messageOf(error: GatewayError): string {
  const { message, code, retryAfterMs } = error;
  if (code !== 'rate_limit' || retryAfterMs === undefined) {
    return message;
  }
  const words = retryAdvice(retryAfterMs);
  // The accounts' refusal has the words in every format, those of a key's limits do not.
  return message.endsWith(words) ? message : `${message} ${words}`;
}

function toResponseUsage(usage: TokenUsage): ResponseUsage {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
    },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}
