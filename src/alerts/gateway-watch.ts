import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Subscription } from 'rxjs';
import { UpstreamStatus } from '../accounts/dispatch/upstream-status.js';
import { AccountRegistry } from '../accounts/registry/account-registry.js';
import { Clock } from '../common/time/clock.js';
import { ReadinessService } from '../health/readiness.service.js';
import { LogsService } from '../logs/logs.service.js';
import { UpstreamModels } from '../models/upstream-models.js';
import { type WatchedState } from './alert-state.js';
import { LimitWatch } from './limit-watch.js';
import { accountsOut, standsBy } from './reported-accounts.js';

const UPSTREAM_DOWN = 'upstream_down';
const UPSTREAM_UNREACHABLE = 'upstream_unreachable';
const RATE_LIMITED = 'rate_limited';
/** A shorter failure of the upstream mends itself; the circuit breaker tries a request every ten seconds. */
const UPSTREAM_DOWN_MS = 60_000;
/** Far longer than a cooldown, which ends by itself. */
const LIMITED_MS = 600_000;

/** Judges the state of this gateway for alerts. */
@Injectable()
export class GatewayWatch implements OnModuleDestroy {
  private readonly limits = new LimitWatch();
  private readonly subscription: Subscription;

  constructor(
    private readonly readiness: ReadinessService,
    private readonly accounts: AccountRegistry,
    private readonly logs: LogsService,
    private readonly upstream: UpstreamStatus,
    private readonly models: UpstreamModels,
    clock: Clock,
  ) {
    this.subscription = logs.endedCompletions$.subscribe((entry) =>
      this.limits.count(entry, clock.monotonic()),
    );
  }

  onModuleDestroy(): void {
    this.subscription.unsubscribe();
  }

  /**
   * The state now.
   * @param reported the state reported last, perhaps by an earlier process; it holds until something contradicts it
   */
  look(reported: WatchedState): WatchedState {
    return {
      ...this.serving(reported),
      accountsOut: accountsOut(this.accounts.list(), reported.accountsOut),
      isLogHealthy: this.logs.stats().isHealthy,
    };
  }

  private serving(reported: WatchedState): Pick<WatchedState, 'readiness' | 'detail'> {
    const readiness = this.readiness.state();
    if (readiness === 'no_account' && standsBy(this.accounts.list())) {
      return { readiness: 'ok' };
    }
    if (readiness === 'ok' && reported.readiness === 'no_account' && !this.hasWorkingAccount) {
      return reported;
    }
    if (readiness === 'ok' && this.isUpstreamDown(reported)) {
      const at = this.upstream.failsAtOneConversation ? ' at one conversation, and no other has asked' : '';
      return { readiness: UPSTREAM_DOWN, detail: `the upstream keeps failing${at}` };
    }
    if (readiness === 'ok' && this.isUpstreamUnreachable(reported)) {
      return { readiness: UPSTREAM_UNREACHABLE, detail: 'the upstream cannot be reached' };
    }
    if (readiness === 'ok' && this.isRateLimited(reported)) {
      return {
        readiness: RATE_LIMITED,
        detail: 'no request has been served for ten minutes, since the accounts are at their limits',
      };
    }
    return { readiness, detail: this.readiness.detail() };
  }

  /** Whether an account may be used that does not just try to log in again. */
  private get hasWorkingAccount(): boolean {
    return this.accounts.list().some(({ isUsable, isBeingHealed }) => isUsable && !isBeingHealed);
  }

  /** After a restart, the reported state holds until an account has begun to answer. */
  private isRateLimited(reported: WatchedState): boolean {
    const { limitedForMs, hasServed } = this.limits;
    return limitedForMs >= LIMITED_MS || (reported.readiness === RATE_LIMITED && !hasServed);
  }

  /** After a restart, the reported state holds until the upstream has answered. */
  private isUpstreamDown(reported: WatchedState): boolean {
    const { failedForMs = 0, hasServed } = this.upstream;
    return failedForMs >= UPSTREAM_DOWN_MS || (reported.readiness === UPSTREAM_DOWN && !hasServed);
  }

  /**
   * Whether even the list of its models stays away; once reported, this holds until a list is read. The circuit breaker sees nothing
   * of that while callers are refused for want of the list; once the upstream has answered a prompt, it alone judges.
   */
  private isUpstreamUnreachable(reported: WatchedState): boolean {
    if (this.upstream.hasServed) {
      return false;
    }
    const { silentForMs, isUnknown } = this.models;
    return reported.readiness === UPSTREAM_UNREACHABLE
      ? silentForMs !== undefined || isUnknown
      : silentForMs !== undefined && silentForMs >= UPSTREAM_DOWN_MS;
  }
}
