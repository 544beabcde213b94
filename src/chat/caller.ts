import { type OpenRequestLog } from '../logs/logs.service.js';

/** Whoever waits for an answer. */
export interface Caller {
  /**
   * Aborted when nobody waits any longer. Its reason is a GatewayError if the gateway itself must end the answer
   * (the caller is then told), anything else if the caller left.
   */
  readonly signal: AbortSignal;
  readonly log: OpenRequestLog;
}
