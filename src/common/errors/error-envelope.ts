import { ERROR_CATALOG } from './error-catalog.js';
import { type GatewayError } from './gateway.errors.js';

/** The body of every error response and of an error event in a stream. */
export interface ErrorEnvelope {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param?: string;
    readonly code: string;
  };
}

export function toErrorEnvelope(error: GatewayError): ErrorEnvelope {
  const { message, code, param } = error;
  return {
    error: { message, type: ERROR_CATALOG[code].type, ...(param === undefined ? {} : { param }), code },
  };
}
