import { type Subscriber } from 'rxjs';
import { GatewayError } from '../../common/errors/gateway.errors.js';
import { type FlowGate } from '../../upstream/flow-gate.js';
import { UpstreamError } from '../../upstream/upstream.errors.js';
import { type UpstreamBatch, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { UpstreamDownError } from '../accounts.errors.js';
import { FAILED_OPENING, judgeFailure, type RetryVerdict } from '../failure-policy.js';
import { type Lease, type SessionNeed } from '../pool/lease.js';
import { type QueueTurn } from '../pool/queue/fair-order.js';
import { type DispatchDependencies } from './dispatch-dependencies.js';
import { type DispatchRecording } from './dispatch-recording.js';
import { type DispatchReport } from './dispatch-report.js';
import { DispatchReporter } from './dispatch-reporter.js';
import { toCallerError } from './failures/caller-error.js';
import { RequestIdentity } from './failures/request-identity.js';
import { LeasedAttempt } from './leased-attempt.js';
import { OpeningBudget } from './opening-budget.js';
import { RetrySchedule } from './retry-schedule.js';
import { type AttemptObserver } from './upstream-attempt.js';

export interface DispatchContext {
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** Closed while the caller does not keep up. */
  readonly flow: FlowGate;
  /** Id of the request in the log of network traffic. */
  readonly requestId?: string | undefined;
  /** Header of the same name for the upstream. */
  readonly traceparent?: string | undefined;
  /** Whose turn the request takes where requests wait for sessions. */
  readonly turn?: QueueTurn | undefined;
  /** Id of the account that alone is asked, and once: only what it refuses of the form is left out, and asked again. */
  readonly only?: string | undefined;
  /** Filled while the dispatch runs. */
  readonly report: DispatchReport;
  /** Called once the report tells of a further step. */
  readonly progressed?: (() => void) | undefined;
  /** Filled with what the upstream sends, if that is to be kept. */
  readonly recording?: DispatchRecording | undefined;
  /** Age of the request in milliseconds; by default counted from the dispatch on. */
  readonly elapsedMs?: () => number;
}

/** Made once: without a reason, every abort would build a DOMException with its stack. */
const CALLER_LEFT = new Error('Nobody waits for the answer any more.');

/**
 * The dispatch of one request: takes a lease, makes an attempt, and repeats both where the retry policy permits it.
 * However it ends, each lease is given back and the upstream's work cancelled exactly once.
 */
export class UpstreamDispatch implements AttemptObserver {
  private readonly controller = new AbortController();
  private readonly identity: RequestIdentity;
  private readonly tried = new Set<string>();
  private readonly need: SessionNeed;
  private readonly reporter: DispatchReporter;
  private readonly elapsedMs: () => number;
  private readonly opening: OpeningBudget;
  private readonly schedule: RetrySchedule;
  private isFinished = false;
  private attempt: LeasedAttempt | undefined;
  private backoff: NodeJS.Timeout | undefined;

  constructor(
    private readonly dependencies: DispatchDependencies,
    private readonly request: UpstreamRequest,
    private readonly context: DispatchContext,
    private readonly subscriber: Subscriber<UpstreamBatch>,
  ) {
    const { clock } = dependencies;
    const beganAt = clock.monotonic();
    const { report, progressed, elapsedMs = () => clock.monotonic() - beganAt } = context;
    this.elapsedMs = elapsedMs;
    this.reporter = new DispatchReporter(report, elapsedMs, progressed);
    this.identity = new RequestIdentity(request.prompt);
    this.need = { model: request.model, tried: this.tried, only: context.only };
    this.opening = new OpeningBudget(clock);
    this.schedule = new RetrySchedule(dependencies, this.opening, () =>
      dependencies.pool.hasOther(this.need),
    );
  }

  start(): void {
    const { signal } = this.context;
    if (signal.aborted) {
      this.leave();
      return;
    }
    signal.addEventListener('abort', this.leave);
    this.dependencies.budget.deposit();
    this.tryOnce();
  }

  /** The caller has left: everything that runs for it ends. */
  readonly leave = (): void => {
    if (this.isFinished) {
      return;
    }
    const isDone = this.attempt?.isDone ?? false;
    this.reporter.queueLeft();
    this.reporter.attemptEnded(isDone ? 'ok' : 'cancelled');
    this.release();
    this.finish();
    // After a complete answer nothing is left to abort, and an abort costs 1.4 µs even if nobody listens.
    if (!isDone) {
      this.controller.abort(CALLER_LEFT);
    }
    this.subscriber.complete();
  };

  private tryOnce(): void {
    const { breaker, clock, pool } = this.dependencies;
    if (breaker.isOpen(this.request.model, clock.monotonic(), this.identity)) {
      this.refuseWhileDown();
      return;
    }
    this.schedule.attemptStarted();
    this.reporter.queueEntered();
    const acquire = (signal: AbortSignal): Promise<Lease> =>
      pool.acquire(this.need, signal, this.context.turn);
    this.opening.bound(acquire, this.controller.signal).then(
      (lease) => {
        this.reporter.queueLeft();
        if (lease.mayBegin()) {
          this.send(lease);
        } else {
          // The account has become another gateway's on the way here; the pool knows which others there are.
          lease.release();
          this.tryOnce();
        }
      },
      (error: unknown) => {
        this.reporter.queueLeft();
        this.acquireFailed(error);
      },
    );
  }

  private send(lease: Lease): void {
    const { breaker, clock } = this.dependencies;
    const pass = this.isFinished
      ? undefined
      : breaker.tryPass(this.request.model, clock.monotonic(), this.identity);
    if (pass === undefined) {
      lease.release();
      if (!this.isFinished) {
        this.refuseWhileDown();
      }
      return;
    }
    const { flow, requestId, traceparent, recording } = this.context;
    this.opening.succeeded();
    this.tried.add(lease.account.id);
    this.reporter.attemptStarted(lease);
    this.attempt = new LeasedAttempt(this.dependencies, lease, pass, this.identity, flow, this);
    const session = recording?.follow(lease, this.elapsedMs);
    const { signal } = this.controller;
    const { mayRepeat } = this.schedule;
    this.attempt.send(
      this.request,
      { signal, flow, requestId, permit: lease, mayRepeat, traceparent },
      session,
    );
  }

  accepted(): void {
    this.reporter.accepted();
    this.attempt?.accepted();
  }

  begun(): void {
    this.reporter.begun();
    this.attempt?.succeeded();
  }

  next(batch: UpstreamBatch): void {
    this.subscriber.next(batch);
  }

  complete(): void {
    this.reporter.attemptEnded('ok');
    this.release();
    this.finish();
    this.subscriber.complete();
  }

  /** The attempt has failed. */
  error(failure: unknown): void {
    if (!this.attempt) {
      return;
    }
    const error = this.attempt.withoutSecrets(failure);
    const verdict = judgeFailure(error, this.attempt.progress);
    this.reporter.attemptFailed(error, this.attempt.failed(verdict));
    this.context.recording?.attemptFailed(error);
    this.release();
    this.retryOrFail(error, verdict.retry);
  }

  /** No lease was given: a session could not be opened, or the pool refused the request. */
  private acquireFailed(error: unknown): void {
    if (this.isFinished) {
      return;
    }
    if (error instanceof UpstreamError) {
      this.reporter.openingFailed(error);
      this.context.recording?.openingFailed(error);
      this.opening.failed(error);
      this.retryOrFail(error, judgeFailure(error, FAILED_OPENING).retry);
    } else {
      this.reporter.refused(this.dependencies.pool.obstacles(this.need));
      this.fail(error);
    }
  }

  private retryOrFail(error: unknown, retry: RetryVerdict): void {
    const isOnce = this.need.only !== undefined && retry.kind !== 'in_other_form';
    const delayMs = isOnce ? undefined : this.schedule.nextDelayMs(retry);
    if (delayMs === undefined) {
      this.fail(error);
    } else if (delayMs === 0) {
      this.tryOnce();
    } else {
      this.backoff = setTimeout(() => this.tryOnce(), delayMs);
    }
  }

  /** Ends the present attempt, if there is one. */
  private release(): void {
    this.attempt?.release();
    this.attempt = undefined;
  }

  private refuseWhileDown(): void {
    const { breaker, clock } = this.dependencies;
    const { model } = this.request;
    const retryAfterMs = breaker.retryAfterMs(model, clock.monotonic());
    this.fail(new UpstreamDownError(retryAfterMs, breaker.refusesAlone(model)));
  }

  private fail(error: unknown): void {
    this.finish();
    if (this.context.recording && error instanceof GatewayError) {
      this.context.recording.refusal = error;
    }
    const { pool, settings: limits } = this.dependencies;
    const context = { limits, rateLimit: (cause: unknown) => pool.rateLimit(this.need, cause) };
    this.subscriber.error(error instanceof GatewayError ? error : toCallerError(error, context));
  }

  private finish(): void {
    this.isFinished = true;
    clearTimeout(this.backoff);
    this.context.signal.removeEventListener('abort', this.leave);
  }
}
