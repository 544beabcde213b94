import { redactCut } from '../../common/network/known-secrets.js';
import { redactNamed } from '../../common/network/redact.js';

/**
 * Bodies of an exchange, cut to the limit but not yet redacted. Redaction costs 2 ns a character, so it is left to the
 * place that stores or shows them: mostly the writer's thread.
 */
export interface ExchangeBodies {
  readonly request?: string | undefined;
  readonly response?: string | undefined;
  /** Whether the gateway made the request body itself; then only `secrets` are redacted in it. */
  readonly isOwnRequest: boolean;
  /** Values to redact wherever they occur, e.g. the account's password. */
  readonly secrets: readonly string[];
}

/** Both bodies redacted; null where there is none. */
export function redactedBodies(bodies: ExchangeBodies | null): {
  readonly requestBody: string | null;
  readonly responseBody: string | null;
} {
  const { request, response, isOwnRequest = false, secrets = [] } = bodies ?? {};
  return {
    requestBody:
      request === undefined ? null : redactCut(isOwnRequest ? request : redactNamed(request), secrets),
    responseBody: response === undefined ? null : redactCut(redactNamed(response), secrets),
  };
}
