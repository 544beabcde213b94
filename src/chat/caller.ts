import { type IncomingMessage } from 'node:http';
import { InvalidRequestError } from '../common/errors/gateway.errors.js';
import { type CallerKey } from '../common/http/access/caller-key.js';
import { credentialOf } from '../common/http/access/credential.js';
import { clientName } from '../logs/client-name.js';
import { type CompletionEnd } from './completion/output/end-with-error.js';
import { requestDigest } from './echo/echo-memory.js';
import { type CallerHabits, habitsOf } from './known-callers.js';

/** Properties of a caller, read from its request. */
export interface CallerTraits {
  /** See `clientName`. */
  readonly client?: string;
  readonly habits: CallerHabits;
  /** See the function of this name. */
  readonly requestDigest: () => string;
  /** False if its tool results must stay uncondensed. */
  readonly wantsCompression: boolean;
}

/** The caller of one completion, for as long as it waits. */
export interface Caller extends CallerTraits, CompletionEnd {
  /** Undefined while the gateway has no keys. */
  readonly key?: CallerKey | undefined;
  /**
   * Aborted when nobody waits any longer. Its reason is a GatewayError if the gateway itself must end the answer
   * (reported to the caller), anything else if the caller left.
   */
  readonly signal: AbortSignal;
}

/**
 * @param body as it was parsed
 * @throws InvalidRequestError naming the header
 */
export function callerTraits(request: IncomingMessage, body: unknown): CallerTraits {
  const { headers } = request;
  return {
    client: clientName(headers),
    habits: habitsOf(headers),
    requestDigest: () => requestDigest(identityOf(request), body),
    wantsCompression: readSwitch(headers, 'x-gateway-compression'),
  };
}

/** The address only tells callers without a key apart: behind a balancer, a retry may come from another one. */
function identityOf(request: IncomingMessage): readonly (string | undefined)[] {
  const credential = credentialOf(request);
  const address = credential === undefined ? request.socket.remoteAddress : undefined;
  return [credential, address, request.headers['user-agent']];
}

function readSwitch(headers: IncomingMessage['headers'], name: string): boolean {
  const value = headers[name] ?? 'on';
  if (value !== 'on' && value !== 'off') {
    throw new InvalidRequestError(`${name} must be "on" or "off".`, name);
  }
  return value === 'on';
}
