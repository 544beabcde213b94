import { DAY_MS } from '../../common/time/durations.js';

/** Tokens that were set aside for a request. */
export interface TokenReservation {
  /** How many were set aside at first. */
  readonly tokens: number;
  /** Keeps only so many of the tokens set aside; nothing after `settle`. */
  reduceTo(tokens: number): void;
  /** Puts what was really used in its place; later calls do nothing. @param now Unix milliseconds */
  settle(tokens: number, now: number): void;
}

/** Tokens used on one day of UTC. */
interface DayUse {
  readonly day: number;
  tokens: number;
}

/** Tokens that one key uses in a day of UTC: those used, and those set aside for requests under way. */
export class TokenDay {
  private today: DayUse;
  /** The day before, or the one that a clock has left that jumped over midnight, and may come back to. */
  private other: DayUse | undefined;
  private reserved = 0;

  /** @param now Unix milliseconds */
  constructor(now: number) {
    this.today = { day: dayOf(now), tokens: 0 };
  }

  /** Tokens left of a limit; below 0 if a request used more than was set aside for it. */
  remaining(limit: number, now: number): number {
    this.rollOver(now);
    return limit - this.today.tokens - this.reserved;
  }

  /** Tokens used, and set aside. @param now Unix milliseconds */
  taken(now: number): { readonly used: number; readonly reserved: number } {
    this.rollOver(now);
    return { used: this.today.tokens, reserved: this.reserved };
  }

  /** Counts tokens that were used without being set aside. @param now Unix milliseconds */
  add(tokens: number, now: number): void {
    this.rollOver(now);
    this.today.tokens += tokens;
  }

  /** Sets tokens aside; undefined if that would exceed the limit. */
  reserve(tokens: number, limit: number, now: number): TokenReservation | undefined {
    if (tokens > this.remaining(limit, now)) {
      return undefined;
    }
    this.reserved += tokens;
    let held = tokens;
    let isOpen = true;
    return {
      tokens,
      reduceTo: (fewer) => {
        if (isOpen) {
          this.reserved -= held - fewer;
          held = fewer;
        }
      },
      settle: (usedTokens, endedAt) => {
        if (isOpen) {
          isOpen = false;
          this.rollOver(endedAt);
          this.reserved -= held;
          this.today.tokens += usedTokens;
        }
      },
    };
  }

  /** At midnight a new count begins; what is set aside counts for the day on which it ends. */
  private rollOver(now: number): void {
    const day = dayOf(now);
    if (day !== this.today.day) {
      const left = this.today;
      this.today = this.other?.day === day ? this.other : { day, tokens: 0 };
      this.other = left;
    }
  }
}

/** Milliseconds until the next midnight UTC. */
export function untilMidnightMs(now: number): number {
  return DAY_MS - (now % DAY_MS);
}

/** Number of the day since 1970, in UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}
