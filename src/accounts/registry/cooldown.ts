/** One more lease may start per step once a cooldown is over, so that an account does not run into its limit again. */
const RAMP_STEP_MS = 250;
/** The ramp lasts at least this many steps, however few leases an account may have at once. */
const MIN_RAMP_STEPS = 4;
/** A cooldown ends up to this share late, so that accounts limited together do not come back together. */
const JITTER_SHARE = 0.1;
/** No upstream's own time is believed beyond a week. */
const MAX_COOLDOWN_MS = 7 * 24 * 3600 * 1000;

/** A cooldown as the store keeps it, in wall-clock time, since monotonic time ends with the process. */
export interface StoredCooldown {
  readonly startedAt: number;
  readonly until: number;
  readonly cause: string;
}

/**
 * The rest that an account gets after a rate limit, and its careful return: once the time is over exactly one lease
 * (the probe) may start; when that one is answered, one more may start every 250 ms until the account is back.
 *
 * All times are monotonic milliseconds passed in, so a changed wall clock neither shortens nor lengthens it.
 */
export class Cooldown {
  private endsAt: number | undefined;
  private text = '';
  private probe: number | undefined;
  private lastProbe = 0;
  private ramp: { readonly startedAt: number; readonly endsAt: number; starts: number } | undefined;

  get cause(): string {
    return this.text;
  }

  /** Milliseconds until the first lease may start again; 0 if none is held back by the time. */
  remainingMs(now: number): number {
    return Math.max(0, (this.endsAt ?? now) - now);
  }

  isCooling(now: number): boolean {
    return this.remainingMs(now) > 0;
  }

  /**
   * Starts or prolongs the cooldown; one that would end sooner than the running one changes nothing.
   * @param chance from 0 to 1, for the jitter
   * @returns whether anything changed
   */
  extend(durationMs: number, cause: string, now: number, chance: number): boolean {
    const length = Math.min(Math.max(0, durationMs), MAX_COOLDOWN_MS) * (1 + JITTER_SHARE * chance);
    if (this.endsAt !== undefined && now + length <= this.endsAt) {
      return false;
    }
    this.endsAt = now + length;
    this.text = cause;
    this.probe = undefined;
    this.ramp = undefined;
    return true;
  }

  clear(): void {
    this.endsAt = undefined;
    this.probe = undefined;
    this.ramp = undefined;
    this.text = '';
  }

  /** Why no lease may start now, or undefined if one may. */
  obstacle(now: number): 'cooldown' | 'half_open' | 'ramp' | undefined {
    if (this.endsAt === undefined) {
      return undefined;
    }
    if (now < this.endsAt) {
      return 'cooldown';
    }
    if (!this.ramp) {
      return this.probe === undefined ? undefined : 'half_open';
    }
    if (now >= this.ramp.endsAt) {
      this.clear();
      return undefined;
    }
    return this.ramp.starts < Math.floor((now - this.ramp.startedAt) / RAMP_STEP_MS) ? undefined : 'ramp';
  }

  /** When a lease may start by the mere passing of time; undefined if time alone changes nothing. */
  nextStartAt(now: number): number | undefined {
    const obstacle = this.obstacle(now);
    if (obstacle === 'ramp' && this.ramp) {
      return this.ramp.startedAt + (this.ramp.starts + 1) * RAMP_STEP_MS;
    }
    return obstacle === 'cooldown' ? this.endsAt : undefined;
  }

  /** Takes note of a lease that starts now, after `obstacle` found none. Returns the probe's number if it is one. */
  leaseStarted(): number | undefined {
    if (this.ramp) {
      this.ramp.starts += 1;
      return undefined;
    }
    this.probe = this.endsAt === undefined ? undefined : ++this.lastProbe;
    return this.probe;
  }

  /**
   * The probe was answered: the ramp begins. Does nothing for a probe that a new cooldown has overtaken.
   * @param fullLeases how many leases the account may have at once
   * @returns whether the ramp began
   */
  probeAnswered(probe: number, now: number, fullLeases: number): boolean {
    if (this.probe !== probe) {
      return false;
    }
    const steps = Math.max(MIN_RAMP_STEPS, fullLeases);
    this.probe = undefined;
    this.ramp = { startedAt: now, endsAt: now + steps * RAMP_STEP_MS, starts: 0 };
    return true;
  }

  /** The probe ended without an answer (failed or given up): the next lease is the probe. */
  probeEnded(probe: number): void {
    if (this.probe === probe) {
      this.probe = undefined;
    }
  }

  /** What the store keeps until the probe is answered; undefined if there is nothing to keep. */
  toStored(now: number, wallNow: number): StoredCooldown | undefined {
    return this.endsAt === undefined || this.ramp
      ? undefined
      : { startedAt: wallNow, until: wallNow + (this.endsAt - now), cause: this.text };
  }

  /**
   * Takes up a cooldown after a restart. A wall clock that was set back must not prolong it beyond its own length,
   * and one that was set forward ends it at once, where the single probe still protects the account.
   */
  restore(stored: StoredCooldown, now: number, wallNow: number): void {
    const length = Math.min(
      Math.max(0, stored.until - stored.startedAt),
      MAX_COOLDOWN_MS * (1 + JITTER_SHARE),
    );
    this.endsAt = now + Math.min(Math.max(0, stored.until - wallNow), length);
    this.text = stored.cause;
  }
}
