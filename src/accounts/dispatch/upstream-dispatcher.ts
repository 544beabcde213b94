import { Injectable } from '@nestjs/common';
import { Observable } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { Clock } from '../../common/time/clock.js';
import { type UpstreamBatch, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { SessionPool } from '../pool/session-pool.js';
import { AccountHealth } from '../registry/account-health.js';
import { AccountRegistry } from '../registry/account-registry.js';
import { Random } from '../registry/random.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { type DispatchTools } from './dispatch-dependencies.js';
import { RetryBudget } from './retry-budget.js';
import { type DispatchContext, UpstreamDispatch } from './upstream-dispatch.js';

/** Sends prompts to the upstream through the pool, with retries. */
@Injectable()
export class UpstreamDispatcher {
  private readonly tools: DispatchTools;

  constructor(
    pool: SessionPool,
    registry: AccountRegistry,
    health: AccountHealth,
    settings: Settings,
    clock: Clock,
    random: Random,
  ) {
    const budget = new RetryBudget();
    this.tools = { pool, registry, health, settings, clock, random, budget, breaker: new CircuitBreaker() };
  }

  /**
   * Sends a prompt when subscribed to. Nothing is emitted before the upstream has begun to answer; a failure until
   * then is retried where that is safe, a later one ends the stream. Errors are `GatewayError`s only:
   * RateLimitError, PromptTooLongError, InvalidRequestError, else InternalError and its subclasses.
   *
   * Unsubscribing, or aborting the signal, cancels everything at once; the latter completes without a `done` event.
   */
  dispatch(request: UpstreamRequest, context: DispatchContext): Observable<UpstreamBatch> {
    return new Observable((subscriber) => {
      const dispatch = new UpstreamDispatch(this.tools, request, context, subscriber);
      dispatch.start();
      return dispatch.leave;
    });
  }
}
