import { type RetryVerdict } from '../failure-policy.js';
import { type DispatchDependencies } from './dispatch-dependencies.js';
import { type OpeningBudget } from './opening-budget.js';

/** Refusals of fields that are not counted: servers name one at a time, and know most of a dozen. */
const MAX_REFUSED_FORMS = 10;

/** Counts how often the prompt of one request is sent, and sets the time of the next attempt. */
export class RetrySchedule {
  private attempts = 0;
  private refusedForms = 0;

  constructor(
    private readonly dependencies: Pick<DispatchDependencies, 'budget' | 'random' | 'settings'>,
    private readonly opening: Pick<OpeningBudget, 'allows'>,
    /** Whether there is an account that was not tried. */
    private readonly hasOther: () => boolean,
  ) {}

  attemptStarted(): void {
    this.attempts += 1;
  }

  /** Takes one more attempt, for a driver that sends the prompt again within the one that runs; false if none is left. */
  readonly mayRepeat = (): boolean => {
    if (this.isUsedUp()) {
      return false;
    }
    this.attempts += 1;
    return true;
  };

  /** Milliseconds until the next attempt, 0 for at once; undefined if there is none. */
  nextDelayMs(retry: RetryVerdict): number | undefined {
    switch (retry.kind) {
      case 'never':
        return undefined;
      case 'in_other_form':
        return this.uncount() || !this.isUsedUp() ? 0 : undefined;
      case 'at_once':
        return this.isUsedUp() ? undefined : 0;
      case 'elsewhere':
        return this.isUsedUp() || !this.hasOther() ? undefined : 0;
      case 'after_backoff':
        return this.isUsedUp() ? undefined : this.affordableBackoffMs(retry);
      default:
        return retry satisfies never;
    }
  }

  /** Takes the attempt back that ended with a refused form; false for one too many. */
  private uncount(): boolean {
    if (this.refusedForms >= MAX_REFUSED_FORMS) {
      return false;
    }
    this.refusedForms += 1;
    this.attempts -= 1;
    return true;
  }

  /** The budget pays only for a prompt that is sent again. */
  private affordableBackoffMs({
    isBudgeted,
    notBeforeMs = 0,
  }: Extract<RetryVerdict, { kind: 'after_backoff' }>): number | undefined {
    const { settings, random, budget } = this.dependencies;
    const { RETRY_BASE_DELAY_MS, RETRY_MAX_DELAY_MS } = settings;
    if (notBeforeMs > RETRY_MAX_DELAY_MS) {
      return undefined;
    }
    const ownWaitMs = backoffMs(this.attempts, RETRY_BASE_DELAY_MS, RETRY_MAX_DELAY_MS, random.next());
    const waitMs = Math.max(ownWaitMs, notBeforeMs);
    return this.opening.allows(waitMs) && (!isBudgeted || budget.tryWithdraw()) ? waitMs : undefined;
  }

  private isUsedUp(): boolean {
    return this.attempts >= this.dependencies.settings.RETRY_MAX_ATTEMPTS;
  }
}

/**
 * Exponential back-off: the wait doubles with every retry up to the limit. Jitter takes off up to half of it, so that
 * requests that failed together do not come back together.
 * @param retry 1 for the first
 * @param chance from 0 to 1
 */
export function backoffMs(retry: number, baseMs: number, maxMs: number, chance: number): number {
  return Math.min(maxMs, baseMs * 2 ** (retry - 1)) * (1 - chance / 2);
}
