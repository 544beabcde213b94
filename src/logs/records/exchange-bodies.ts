import { redactBody, redactSecrets } from '../../common/network/redact.js';

/**
 * The bodies of an exchange as they were sent and received, cut. They are redacted, at 2 ns a character, by whoever
 * writes or shows them, which is mostly another thread.
 */
export interface ExchangeBodies {
  readonly request?: string | undefined;
  readonly response?: string | undefined;
  /** Whether the gateway made the request's body: then only the given secrets are looked for in it. */
  readonly isOwnRequest: boolean;
  readonly secrets: readonly string[];
}

/** Both without secrets; null for none. */
export function redactedBodies(bodies: ExchangeBodies | null): {
  readonly requestBody: string | null;
  readonly responseBody: string | null;
} {
  const { request, response, isOwnRequest = false, secrets = [] } = bodies ?? {};
  const redactRequest = isOwnRequest ? redactSecrets : redactBody;
  return {
    requestBody: request === undefined ? null : redactRequest(request, secrets),
    responseBody: response === undefined ? null : redactBody(response, secrets),
  };
}
