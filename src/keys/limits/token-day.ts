const DAY_MS = 86_400_000;

/** Tokens that were set aside for a request. */
export interface TokenReservation {
  /** Keeps only so many of the tokens set aside; nothing after `settle`. */
  lessen(tokens: number): void;
  /** Puts what was really used in its place; later calls do nothing. @param now Unix milliseconds */
  settle(tokens: number, now: number): void;
}

/** Tokens that one key uses in a day of UTC: those used, and those set aside for requests under way. */
export class TokenDay {
  private day = 0;
  private used = 0;
  private reserved = 0;

  /** @param used tokens used before, on the day of `now` (Unix milliseconds) */
  constructor(now: number, used: number) {
    this.day = dayOf(now);
    this.used = used;
  }

  /** Tokens left of a limit; below 0 if a request used more than was set aside for it. */
  remaining(limit: number, now: number): number {
    this.turn(now);
    return limit - this.used - this.reserved;
  }

  /** Tokens used, and set aside. @param now Unix milliseconds */
  taken(now: number): { readonly used: number; readonly reserved: number } {
    this.turn(now);
    return { used: this.used, reserved: this.reserved };
  }

  /** Counts tokens that were used without being set aside. @param now Unix milliseconds */
  add(tokens: number, now: number): void {
    this.turn(now);
    this.used += tokens;
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
      lessen: (fewer) => {
        if (isOpen) {
          this.reserved -= held - fewer;
          held = fewer;
        }
      },
      settle: (usedTokens, endedAt) => {
        if (isOpen) {
          isOpen = false;
          this.turn(endedAt);
          this.reserved -= held;
          this.used += usedTokens;
        }
      },
    };
  }

  /** At midnight what was used is forgotten; what is set aside counts for the day on which it ends. */
  private turn(now: number): void {
    const day = dayOf(now);
    if (day > this.day) {
      this.day = day;
      this.used = 0;
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
