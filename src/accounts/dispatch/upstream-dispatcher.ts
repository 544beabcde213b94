import { Injectable } from '@nestjs/common';
import { Observable } from 'rxjs';
import { Tenures } from '../../cluster/tenures.js';
import { Settings } from '../../common/config/settings.js';
import { Clock } from '../../common/time/clock.js';
import { type UpstreamBatch, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { SessionPool } from '../pool/session-pool.js';
import { AccountHealth } from '../registry/account-health.js';
import { Random } from '../registry/random.js';
import { type DispatchDependencies } from './dispatch-dependencies.js';
import { Dispatcher } from './dispatcher.js';
import { CircuitBreaker } from './failures/circuit-breaker.js';
import { RetryBudget } from './retry-budget.js';
import { type DispatchContext, UpstreamDispatch } from './upstream-dispatch.js';

/** Sends prompts to the upstream through the pool, with retries. */
@Injectable()
export class UpstreamDispatcher extends Dispatcher {
  private readonly dependencies: DispatchDependencies;

  constructor(
    pool: SessionPool,
    health: AccountHealth,
    settings: Settings,
    clock: Clock,
    random: Random,
    tenures: Tenures,
  ) {
    super();
    const budget = new RetryBudget(() => tenures.nodes);
    this.dependencies = {
      pool,
      health,
      settings,
      clock,
      random,
      budget,
      breaker: new CircuitBreaker(),
    };
  }

  override get refusesForMs(): number | undefined {
    const { breaker, clock } = this.dependencies;
    const now = clock.monotonic();
    return breaker.isOpen(now) ? Math.ceil(breaker.retryAfterMs(now)) : undefined;
  }

  override get failedForMs(): number | undefined {
    const { breaker, clock } = this.dependencies;
    return breaker.failedForMs(clock.monotonic());
  }

  override get hasServed(): boolean {
    return this.dependencies.breaker.hasServed;
  }

  dispatch(request: UpstreamRequest, context: DispatchContext): Observable<UpstreamBatch> {
    return new Observable((subscriber) => {
      const dispatch = new UpstreamDispatch(this.dependencies, request, context, subscriber);
      dispatch.start();
      return dispatch.leave;
    });
  }
}
