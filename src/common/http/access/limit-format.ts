import { type ServerResponse } from 'node:http';

/** What a key has left of one of its limits. */
export interface LimitLeft {
  readonly limit: number;
  readonly remaining: number;
  /** Time until more is left, in milliseconds. */
  readonly resetMs: number;
  /** Unix milliseconds. */
  readonly now: number;
}

/** How one wire format tells its callers what is left of a limit. An endpoint brings its own with `@TellsLimitsAs`. */
export interface LimitFormat {
  tell(answer: Pick<ServerResponse, 'setHeader'>, what: 'requests' | 'tokens', left: LimitLeft): void;
}

/** The contract's headers, for every endpoint that names no others. */
export const DEFAULT_LIMIT_FORMAT: LimitFormat = {
  tell: (answer, what, { limit, remaining, resetMs }) => {
    answer.setHeader(`x-ratelimit-limit-${what}`, String(limit));
    answer.setHeader(`x-ratelimit-remaining-${what}`, String(remaining));
    answer.setHeader(`x-ratelimit-reset-${what}`, `${Math.ceil(resetMs / 1000)}s`);
  },
};
