import { Injectable } from '@nestjs/common';
import { Observable } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { Clock } from '../../common/time/clock.js';
import { type UpstreamBatch, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { SessionPool } from '../pool/session-pool.js';
import { AccountHealth } from '../registry/account-health.js';
import { AccountRegistry } from '../registry/account-registry.js';
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
    registry: AccountRegistry,
    health: AccountHealth,
    settings: Settings,
    clock: Clock,
    random: Random,
  ) {
    super();
    const budget = new RetryBudget();
    this.dependencies = {
      pool,
      registry,
      health,
      settings,
      clock,
      random,
      budget,
      breaker: new CircuitBreaker(),
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
