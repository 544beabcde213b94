import {
  DEFAULT_HTTP_LIMITS,
  type HttpLimits,
} from '../../../src/common/http/server/gateway-http-adapter.js';

/**
 * Caller and gateway share one event loop here. When it has stood still, both sides' timers are due at once, and an idle
 * connection would be closed in the moment in which it is used again.
 */
export const LENIENT_HTTP_LIMITS: HttpLimits = {
  ...DEFAULT_HTTP_LIMITS,
  headersTimeoutMs: 120_000,
  requestTimeoutMs: 120_000,
  keepAliveTimeoutMs: 120_000,
};
