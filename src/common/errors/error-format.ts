import { ERROR_CATALOG } from './error-catalog.js';
import { toErrorEnvelope } from './error-envelope.js';
import { type GatewayError } from './gateway.errors.js';

/** Representation of errors in one wire format. An endpoint brings its own with `@AnswersErrorsAs`. */
export interface ErrorFormat {
  /** Header of a request that all callers of this format send, at paths of other endpoints and of none, too. */
  readonly clientHeader?: string;
  /** HTTP status. */
  status(error: GatewayError): number;
  /**
   * Body of the response, to be serialised as JSON.
   * @param requestId as in the header `x-request-id`
   */
  body(error: GatewayError, requestId: string): object;
  /** Headers besides the error's own; none by default. */
  headers?(requestId: string): Readonly<Record<string, string>>;
}

/** The contract's envelope, for every endpoint that names no other. */
export const DEFAULT_ERROR_FORMAT: ErrorFormat = {
  status: ({ code }) => ERROR_CATALOG[code].status,
  body: toErrorEnvelope,
};
