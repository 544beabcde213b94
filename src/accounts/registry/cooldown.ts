import { DAY_MS } from '../../common/time/durations.js';

/** Ramp after a cooldown: one more lease may start per step, so that an account does not run into its limit again. */
const RAMP_STEP_MS = 250;
/** Shortest ramp in steps, for accounts that may have few leases at once. */
const MIN_RAMP_STEPS = 4;
/** Jitter: a cooldown is longer by up to this share, so that accounts limited together do not come back together. */
const JITTER_SHARE = 0.1;
/** Upper bound for the upstream's own time: a week. */
const MAX_COOLDOWN_MS = 7 * DAY_MS;

/** A cooldown in the store, in Unix milliseconds, since monotonic time ends with the process. */
export interface StoredCooldown {
  readonly startedAt: number;
  readonly until: number;
  readonly cause: string;
  /** See `Cooldown.model`. */
  readonly model?: string;
}

/** What a rate limit is of. */
interface LimitScope {
  /** The only model that is limited; undefined if all are. */
  readonly model?: string | undefined;
  /** Milliseconds for which all models cool at most because two of them do; no bound by default. */
  readonly maxGuessMs?: number;
}

/**
 * Cooldown of an account after a rate limit, and its gradual return. When the time is over the account is half-open:
 * exactly one lease, the probe, may start. An answer to the probe begins the ramp: one more lease may start every
 * 250 ms until the account is back to normal.
 *
 * Many upstreams limit each model by itself, so a cooldown can be of one model: it then holds back the requests for that
 * one only. A second model that meets a limit meanwhile suggests that the limit is of the account: all its models cool until
 * the first of the two limits ends, but not for long, as each of the two may be of its model.
 *
 * The methods that take a model ask on behalf of a request for it; without one, on behalf of the requests that are held back.
 *
 * All times are monotonic milliseconds passed in, so a changed wall clock neither shortens nor prolongs it.
 */
export class Cooldown {
  private endsAt: number | undefined;
  private causeText = '';
  private limitedModel: string | undefined;
  private probe: number | undefined;
  private lastProbe = 0;
  private ramp:
    | { readonly startedAt: number; readonly endsAt: number; readonly stepMs: number; starts: number }
    | undefined;

  /** Cause of the cooldown in words; empty without one. */
  get cause(): string {
    return this.causeText;
  }

  /** The upstream's name of the only model that is limited; undefined if all are. */
  get model(): string | undefined {
    return this.limitedModel;
  }

  /** Milliseconds until the probe may start; 0 if the cooldown is over, or if there is none. */
  remainingMs(now: number, model?: string): number {
    return this.concerns(model) ? Math.max(0, (this.endsAt ?? now) - now) : 0;
  }

  isCooling(now: number, model?: string): boolean {
    return this.remainingMs(now, model) > 0;
  }

  /**
   * Starts, prolongs or widens the cooldown; an end before that of the running one changes nothing.
   * @param chance from 0 to 1, for the jitter
   * @returns whether anything changed
   */
  extend(
    durationMs: number,
    cause: string,
    now: number,
    chance: number,
    { model, maxGuessMs = Infinity }: LimitScope = {},
  ): boolean {
    const endAfter = (ms: number) =>
      now + Math.min(Math.max(0, ms), MAX_COOLDOWN_MS) * (1 + JITTER_SHARE * chance);
    const end = endAfter(durationMs);
    if (this.endsAt === undefined || !this.isCooling(now) || model === this.limitedModel) {
      if (this.endsAt !== undefined && end <= this.endsAt) {
        return false;
      }
      this.begin(end, cause, model);
      return true;
    }
    if (this.limitedModel === undefined) {
      // One model of an account that cools as a whole: should its limit last longer, the probe shows it.
      return false;
    }
    this.begin(model === undefined ? end : Math.min(end, this.endsAt, endAfter(maxGuessMs)), cause);
    return true;
  }

  /** Back to normal at once. */
  clear(): void {
    this.begin(undefined, '');
  }

  /** The reason why no lease may start now; undefined if one may. */
  obstacle(now: number, model?: string): 'cooldown' | 'half_open' | 'ramp' | undefined {
    if (this.endsAt === undefined || !this.concerns(model)) {
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
    return this.ramp.starts < Math.floor((now - this.ramp.startedAt) / this.ramp.stepMs) ? undefined : 'ramp';
  }

  /** Time of the next permitted start; undefined if a lease may start now, or only an answer can permit one. */
  nextStartAt(now: number): number | undefined {
    const obstacle = this.obstacle(now);
    if (obstacle === 'ramp' && this.ramp) {
      return this.ramp.startedAt + (this.ramp.starts + 1) * this.ramp.stepMs;
    }
    return obstacle === 'cooldown' ? this.endsAt : undefined;
  }

  /** Records a lease that starts now, after `obstacle` found none. Returns the number of the probe if it is one. */
  leaseStarted(model?: string): number | undefined {
    if (!this.concerns(model)) {
      return undefined;
    }
    if (this.ramp) {
      this.ramp.starts += 1;
      return undefined;
    }
    this.probe = this.endsAt === undefined ? undefined : ++this.lastProbe;
    return this.probe;
  }

  /** Whether the cooldown is over, and its probe has yet to start. */
  awaitsProbe(now: number, model?: string): boolean {
    const isOver = this.endsAt !== undefined && now >= this.endsAt;
    return isOver && this.concerns(model) && !this.ramp && this.probe === undefined;
  }

  /**
   * Begins the ramp after an answer to the probe; no effect if a new cooldown has overtaken the probe.
   * @param part most leases at once of this node's part of the account
   * @param whole most leases of the account at once, by all nodes: their steps add up to one each 250 ms
   * @returns whether the ramp began
   */
  probeAnswered(probe: number, now: number, part: number, whole = part): boolean {
    if (this.probe !== probe) {
      return false;
    }
    this.beginRamp(now, part, whole);
    return true;
  }

  /** The probe of another node was answered; as `probeAnswered`, if one was still to come. */
  probeAnsweredElsewhere(now: number, part: number, whole: number): boolean {
    if (!this.awaitsProbe(now)) {
      return false;
    }
    this.beginRamp(now, part, whole);
    return true;
  }

  /** Permits another probe after a failed or cancelled probe. */
  probeEnded(probe: number): void {
    if (this.probe === probe) {
      this.probe = undefined;
    }
  }

  /** Form for the store; undefined without a cooldown, and from the answer to the probe on. */
  toStored(now: number, wallNow: number): StoredCooldown | undefined {
    if (this.endsAt === undefined || this.ramp) {
      return undefined;
    }
    const { limitedModel: model, causeText: cause } = this;
    return {
      startedAt: wallNow,
      until: wallNow + (this.endsAt - now),
      cause,
      ...(model !== undefined && { model }),
    };
  }

  /**
   * Resumes a cooldown after a restart, or takes one over from another node, in place of an older one's probe and ramp. A
   * wall clock that was set back must not prolong it beyond its own length; one that was set forward ends it at once, and
   * the single probe still protects the account.
   */
  restore(stored: StoredCooldown, now: number, wallNow: number): void {
    const length = Math.min(
      Math.max(0, stored.until - stored.startedAt),
      MAX_COOLDOWN_MS * (1 + JITTER_SHARE),
    );
    this.begin(now + Math.min(Math.max(0, stored.until - wallNow), length), stored.cause, stored.model);
  }

  /** Whether requests for the model are held back. */
  private concerns(model: string | undefined): boolean {
    return this.limitedModel === undefined || model === undefined || model === this.limitedModel;
  }

  private begin(endsAt: number | undefined, cause: string, model?: string): void {
    this.endsAt = endsAt;
    this.causeText = cause;
    this.limitedModel = model;
    this.probe = undefined;
    this.ramp = undefined;
  }

  private beginRamp(now: number, part: number, whole: number): void {
    const stepMs = RAMP_STEP_MS * Math.max(1, whole / Math.max(1, part));
    const steps = Math.max(MIN_RAMP_STEPS, part);
    this.probe = undefined;
    this.ramp = { startedAt: now, endsAt: now + steps * stepMs, stepMs, starts: 0 };
  }
}
