import { type GatewayError } from '../../errors/gateway.errors.js';

/** The common SDKs ignore a longer `Retry-After` and hammer instead. */
const LONGEST_WAIT_OF_SDKS_S = 60;

/** Headers that tell what an error knows besides its body: how to log in, what to ask for, when to come back. */
export function errorHeaders(error: GatewayError): Readonly<Record<string, string>> {
  const { code, allowedMethods, isRetryable } = error;
  const seconds = retryAfterSeconds(error);
  const isFinal = !isRetryable || (seconds !== undefined && seconds > LONGEST_WAIT_OF_SDKS_S);
  return {
    ...(code === 'invalid_api_key' && { 'WWW-Authenticate': 'Bearer' }),
    // The protocol to ask in, which the connection speaks already.
    ...(code === 'upgrade_required' && { Upgrade: 'HTTP/1.1', Connection: 'Upgrade' }),
    ...(allowedMethods && { Allow: allowedMethods.join(', ') }),
    ...(seconds !== undefined && { 'Retry-After': String(seconds) }),
    ...(isFinal && { 'x-should-retry': 'false' }),
  };
}

/** The time to wait in the whole seconds of HTTP, rounded up; undefined if it is not known. */
function retryAfterSeconds({ retryAfterMs }: GatewayError): number | undefined {
  return retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
}
