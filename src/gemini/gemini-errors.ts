import { ERROR_CATALOG } from '../common/errors/error-catalog.js';
import { type ErrorFormat } from '../common/errors/error-format.js';
import { ContextWindowExceededError, type GatewayError } from '../common/errors/gateway.errors.js';
import { isOverload } from '../common/errors/overloads.js';

/** HTTP status of a service that has no room for the request at this moment. */
const UNAVAILABLE = 503;

/** The format's words for HTTP statuses other than those of invalid requests. */
const STATUSES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  [UNAVAILABLE]: 'UNAVAILABLE',
};

const TYPES = 'type.googleapis.com/google.rpc.';

/** Errors as the clients of the Gemini API know them. */
export const GEMINI_ERRORS: ErrorFormat = {
  clientHeader: 'x-goog-api-key',
  status: statusOf,
  body: (error) => {
    const code = statusOf(error);
    const details = detailsOf(error);
    return {
      error: {
        code,
        message: messageOf(error),
        status: STATUSES[code] ?? 'INVALID_ARGUMENT',
        ...(details.length > 0 && { details }),
      },
    };
  },
};

function statusOf(error: GatewayError): number {
  return isOverload(error) ? UNAVAILABLE : ERROR_CATALOG[error.code].status;
}

function detailsOf({ param, message, retryAfterMs }: GatewayError): object[] {
  return [
    ...(param === undefined
      ? []
      : [{ '@type': `${TYPES}BadRequest`, fieldViolations: [{ field: param, description: message }] }]),
    // Clients wait as long as this says; they do not look at the header.
    ...(retryAfterMs === undefined
      ? []
      : [{ '@type': `${TYPES}RetryInfo`, retryDelay: `${Math.ceil(retryAfterMs / 1000)}s` }]),
  ];
}

/** Agents and libraries know by these words that a history must be shortened, with its tokens or without. */
function messageOf(error: GatewayError): string {
  if (!(error instanceof ContextWindowExceededError)) {
    return error.message;
  }
  const { estimatedTokens: tokens, maxTokens } = error;
  if (maxTokens === undefined) {
    return 'The input token count exceeds the maximum number of tokens allowed: the prompt is too long.';
  }
  return tokens > maxTokens
    ? `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${maxTokens}).`
    : `The input token count with the answer's exceeds the maximum number of tokens allowed (${maxTokens}).`;
}
