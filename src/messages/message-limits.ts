import { type LimitFormat } from '../common/http/access/limit-format.js';

/** Rate-limit headers as the clients of `/v1/messages` know them. */
export const MESSAGE_LIMITS: LimitFormat = {
  setHeaders: (answer, what, { limit, remaining, resetMs, now }) => {
    answer.setHeader(`anthropic-ratelimit-${what}-limit`, String(limit));
    answer.setHeader(`anthropic-ratelimit-${what}-remaining`, String(remaining));
    answer.setHeader(`anthropic-ratelimit-${what}-reset`, wholeSeconds(now + resetMs));
  },
};

/** RFC 3339, as in `2026-05-31T09:05:07Z`; rounded up, so that it is not too early. */
function wholeSeconds(at: number): string {
  return new Date(Math.ceil(at / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}
