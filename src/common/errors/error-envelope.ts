import { ERROR_CATALOG } from './error-catalog.js';
import { type GatewayError } from './gateway.errors.js';

/** The body of every error response and of an error event in a stream. */
export interface ErrorEnvelope {
  readonly error: {
    readonly message: string;
    readonly type: string;
    /** Null where no field is at fault, as the format's own servers send it. */
    readonly param: string | null;
    readonly code: string;
  };
}

export function toErrorEnvelope(error: GatewayError): ErrorEnvelope {
  const { message, code, param = null } = error;
  return { error: { message, type: ERROR_CATALOG[code].type, param, code } };
}
