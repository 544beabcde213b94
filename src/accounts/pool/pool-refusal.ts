import { TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { retryAdvice } from '../../common/errors/retry-advice.js';
import { type ClockReading } from '../../common/time/clock.js';
import { UnavailableError } from '../../upstream/upstream.errors.js';
import { DatabaseAwayError, NoUsableAccountError, SessionPoolExhaustedError } from '../accounts.errors.js';
import { isHopeful, mayCome, obstacleOf } from './availability.js';
import { type SessionNeed } from './lease.js';
import { describeObstacles } from './pool-outlook.js';
import { type AccountSlots } from './slots/account-slots.js';

/**
 * The reason why no request for the model can be served by waiting; undefined if waiting makes sense.
 * @param longestWaitMs cooldown that is waited out
 * @param isDatabaseAway see `AccountRegistry`
 */
export function poolRefusal(
  all: readonly AccountSlots[],
  model: string,
  at: ClockReading,
  longestWaitMs: number,
  isDatabaseAway: boolean,
): Error | undefined {
  const now = at.monotonic;
  const usable = all.filter(({ account }) => account.isUsable);
  const awake = usable.filter(({ account }) => !account.cooldown.isCooling(now, model));
  if (awake.length > 0) {
    return awake.some((slots) => isHopeful(slots, model, now)) ? undefined : awake[0]?.openError;
  }
  const coming = all.filter(mayCome);
  if (coming.some(({ account }) => !account.cooldown.isCooling(now, model))) {
    return undefined;
  }
  if (usable.length + coming.length === 0) {
    return isDatabaseAway
      ? new DatabaseAwayError()
      : new NoUsableAccountError(obstaclesOf(all, model, at), nextLoginMs(all, at.wall));
  }
  return earliestCooldownEndMs(all, model, now) <= longestWaitMs ? undefined : rateLimit(all, model, at);
}

/**
 * The refusal of a request that has waited for as long as it may: nobody uses a session that is only late to open, nor one
 * that an account after its limit keeps from all but its probe.
 */
export function waitedTooLong(all: readonly AccountSlots[], { model }: SessionNeed, at: ClockReading): Error {
  const now = at.monotonic;
  const usable = all.filter(({ account }) => account.isUsable);
  if (usable.length > 0 && usable.every((slots) => obstacleOf(slots, model, now) !== undefined)) {
    return rateLimit(all, model, at);
  }
  const isInUse = all.some(({ leases }) => leases > 0);
  const isLate = all.some((slots) => slots.opening > slots.openingInTime(now));
  return isLate && !isInUse
    ? new UnavailableError('open_timeout', 'No session was opened in time.')
    : new SessionPoolExhaustedError('no session became free in time');
}

/** The refusal of a request that may not wait. */
export function tooManyWait(): SessionPoolExhaustedError {
  return new SessionPoolExhaustedError('too many requests wait for a session');
}

/** The refusal of a request that met a rate limit: by cause and count, and when the first account is back. */
export function rateLimit(
  all: readonly AccountSlots[],
  model: string,
  at: ClockReading,
  cause?: unknown,
): TooManyRequestsError {
  const waitMs = earliestCooldownEndMs(all, model, at.monotonic);
  const obstacles = obstaclesOf(all, model, at);
  const what = obstacles === '' ? '' : `: ${obstacles}`;
  return new TooManyRequestsError(
    `The upstream limits the rate of requests${what}. ${retryAdvice(waitMs)}`,
    waitMs,
    {
      cause,
    },
  );
}

/**
 * Milliseconds until the first account, here or elsewhere, is out of its cooldown of the model; 0 if a usable one is, or if
 * there is none.
 */
function earliestCooldownEndMs(all: readonly AccountSlots[], model: string, now: number): number {
  const isCooling = ({ account }: AccountSlots) => account.cooldown.isCooling(now, model);
  const waits = all
    .filter((slots) => slots.account.isUsable || (mayCome(slots) && isCooling(slots)))
    .map(({ account }) => account.cooldown.remainingMs(now, model));
  return waits.length === 0 ? 0 : Math.min(...waits);
}

/** Milliseconds until an account is logged in again by itself; undefined if none will be. */
function nextLoginMs(all: readonly AccountSlots[], wall: number): number | undefined {
  const times = all.map(({ account }) => account.nextLoginAt).filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - wall);
}

function obstaclesOf(all: readonly AccountSlots[], model: string, at: ClockReading): string {
  return describeObstacles(
    all.map(({ account }) => account),
    model,
    at,
  );
}
