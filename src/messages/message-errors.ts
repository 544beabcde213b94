import { ERROR_CATALOG, type ErrorCode } from '../common/errors/error-catalog.js';
import { type ErrorFormat } from '../common/errors/error-format.js';
import {
  ContextWindowExceededError,
  type GatewayError,
  InvalidRequestError,
} from '../common/errors/gateway.errors.js';
import { isOverload } from '../common/errors/overloads.js';

/** Status of a service that has no room for the request at this moment; the format's own. */
const OVERLOADED = 529;

/** Types other than `invalid_request_error`. */
const TYPES: Partial<Record<ErrorCode, string>> = {
  invalid_api_key: 'authentication_error',
  permission_denied: 'permission_error',
  host_not_allowed: 'permission_error',
  origin_not_allowed: 'permission_error',
  not_found: 'not_found_error',
  model_not_found: 'not_found_error',
  payload_too_large: 'request_too_large',
  rate_limit: 'rate_limit_error',
  internal_error: 'api_error',
};

/** A request for a conversation held by the server. The official client then sends the whole conversation itself. */
export class ThreadUnsupportedError extends InvalidRequestError {
  override name = 'ThreadUnsupportedError';
  readonly details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] };

  constructor() {
    super('thread is not supported: send all messages with each request.', 'thread');
  }
}

/** Errors as the clients of `/v1/messages` know them. */
export const MESSAGE_ERRORS: ErrorFormat = {
  clientHeader: 'anthropic-version',
  status: (error) => (isOverload(error) ? OVERLOADED : ERROR_CATALOG[error.code].status),
  body: (error, requestId) => ({
    type: 'error',
    error: {
      type: isOverload(error) ? 'overloaded_error' : (TYPES[error.code] ?? 'invalid_request_error'),
      message: messageOf(error),
      ...(error instanceof ThreadUnsupportedError && { details: error.details }),
    },
    request_id: requestId,
  }),
  headers: (requestId) => ({ 'request-id': requestId }),
};

/** Agents compact their history on these words, and read from the figures by how much. */
function messageOf(error: GatewayError): string {
  if (!(error instanceof ContextWindowExceededError)) {
    return error.message;
  }
  const { estimatedTokens: tokens, maxTokens } = error;
  if (maxTokens === undefined) {
    return `prompt is too long: the upstream takes less than these ${tokens} tokens`;
  }
  return tokens > maxTokens
    ? `prompt is too long: ${tokens} tokens > ${maxTokens} maximum`
    : `prompt is too long: with its answer it exceeds ${maxTokens} tokens`;
}
