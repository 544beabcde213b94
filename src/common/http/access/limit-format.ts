import { type ServerResponse } from 'node:http';

/** Remaining quota of a key under one of its limits. */
export interface LimitLeft {
  readonly limit: number;
  readonly remaining: number;
  /** Time until more is left, in milliseconds. */
  readonly resetMs: number;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Rate-limit headers of one wire format. An endpoint brings its own with `@TellsLimitsAs`. */
export interface LimitFormat {
  setHeaders(answer: Pick<ServerResponse, 'setHeader'>, what: 'requests' | 'tokens', left: LimitLeft): void;
}

/** The contract's headers, for every endpoint that names no others. */
export const DEFAULT_LIMIT_FORMAT: LimitFormat = {
  setHeaders: (answer, what, { limit, remaining, resetMs }) => {
    answer.setHeader(`x-ratelimit-limit-${what}`, String(limit));
    answer.setHeader(`x-ratelimit-remaining-${what}`, String(remaining));
    answer.setHeader(`x-ratelimit-reset-${what}`, `${Math.ceil(resetMs / 1000)}s`);
  },
};
