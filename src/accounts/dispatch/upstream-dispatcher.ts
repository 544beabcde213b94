import { Injectable } from '@nestjs/common';
import { Observable } from 'rxjs';
import { Tenures } from '../../cluster/tenures.js';
import { Settings } from '../../common/config/settings.js';
import { Clock } from '../../common/time/clock.js';
import { Random } from '../../common/time/random.js';
import { type UpstreamBatch, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { SessionPool } from '../pool/session-pool.js';
import { AccountHealth } from '../registry/account-health.js';
import { type DispatchDependencies } from './dispatch-dependencies.js';
import { Dispatcher } from './dispatcher.js';
import { UpstreamBreaker } from './failures/upstream-breaker.js';
import { RetryBudget } from './retry-budget.js';
import { type DispatchContext, UpstreamDispatch } from './upstream-dispatch.js';

/** Sends prompts to the upstream through the pool, with retries. */
@Injectable()
export class UpstreamDispatcher extends Dispatcher {
  private readonly dependencies: DispatchDependencies;

  constructor(
    pool: SessionPool,
    health: AccountHealth,
    breaker: UpstreamBreaker,
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
      breaker,
    };
  }

  dispatch(request: UpstreamRequest, context: DispatchContext): Observable<UpstreamBatch> {
    return new Observable((subscriber) => {
      const dispatch = new UpstreamDispatch(this.dependencies, request, context, subscriber);
      dispatch.start();
      return dispatch.leave;
    });
  }
}
