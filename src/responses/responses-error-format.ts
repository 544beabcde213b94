import { type ErrorCode } from '../common/errors/error-catalog.js';
import { toErrorEnvelope } from '../common/errors/error-envelope.js';
import { DEFAULT_ERROR_FORMAT, type ErrorFormat } from '../common/errors/error-format.js';
import { type GatewayError } from '../common/errors/gateway.errors.js';

/** Codes that clients of the format act on, where they differ from the contract's. */
const CODES: Partial<Record<ErrorCode, string>> = {
  context_window_exceeded: 'context_length_exceeded',
  internal_error: 'server_error',
  rate_limit: 'rate_limit_exceeded',
};

/** The code of an error in this format. */
export function responseErrorCode({ code }: GatewayError): string {
  return CODES[code] ?? code;
}

/** The contract's envelope with the codes of this format. */
export const RESPONSES_ERRORS: ErrorFormat = {
  ...DEFAULT_ERROR_FORMAT,
  body: (error) => ({ error: { ...toErrorEnvelope(error).error, code: responseErrorCode(error) } }),
};
