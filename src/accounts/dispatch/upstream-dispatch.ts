import { type Subscriber } from 'rxjs';
import { GatewayError } from '../../common/errors/gateway.errors.js';
import { type FlowGate } from '../../upstream/flow-gate.js';
import {
  LoginReplacedError,
  LoginRequiredError,
  RateLimitedError,
  UpstreamError,
} from '../../upstream/upstream.errors.js';
import { type UpstreamBatch, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { type Lease } from '../pool/lease.js';
import { UpstreamDownError } from '../registry/accounts.errors.js';
import { type BreakerPass } from './circuit-breaker.js';
import { toCallerError } from './dispatch-errors.js';
import { DispatchRecorder } from './dispatch-recorder.js';
import { type DispatchTools } from './dispatch-tools.js';
import { type DispatchTrace } from './dispatch-trace.js';
import { OpeningBudget } from './opening-budget.js';
import { backoffMs, judgeFailure, type Verdict } from './retry-policy.js';
import { UpstreamAttempt } from './upstream-attempt.js';

export interface DispatchContext {
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** Closed while the caller does not keep up. */
  readonly flow: FlowGate;
  /** Names the request in the log of network traffic. */
  readonly requestId?: string | undefined;
  /** Filled on the way. */
  readonly trace: DispatchTrace;
  /** How old the request is, in milliseconds; by default its time begins with the dispatch. */
  readonly elapsedMs?: () => number;
}

/** Made once: without a reason, every abort would build a DOMException with its stack. */
const READER_LEFT = new Error('Nobody waits for the answer any more.');

/**
 * One request on its way through the upstream: takes a lease, makes an attempt, and makes another one where the
 * policy says so. Whatever happens, the lease is given back and the upstream's work cancelled exactly once.
 */
export class UpstreamDispatch {
  private readonly controller = new AbortController();
  private readonly tried = new Set<string>();
  private readonly recorder: DispatchRecorder;
  private readonly opening: OpeningBudget;
  private attempts = 0;
  /** Attempts on sessions whose login ran out or was replaced meanwhile; they do not count, within bounds. */
  private outdated = 0;
  private isFinished = false;
  private lease: Lease | undefined;
  private attempt: UpstreamAttempt | undefined;
  private pass: BreakerPass | undefined;
  private backoff: NodeJS.Timeout | undefined;

  constructor(
    private readonly tools: DispatchTools,
    private readonly request: UpstreamRequest,
    private readonly context: DispatchContext,
    private readonly subscriber: Subscriber<UpstreamBatch>,
  ) {
    const { clock } = tools;
    const beganAt = clock.monotonic();
    const { trace, elapsedMs = () => clock.monotonic() - beganAt } = context;
    this.recorder = new DispatchRecorder(trace, elapsedMs);
    this.opening = new OpeningBudget(clock);
  }

  start(): void {
    const { signal } = this.context;
    if (signal.aborted) {
      this.leave();
      return;
    }
    signal.addEventListener('abort', this.leave);
    this.tools.budget.deposit();
    this.tryOnce();
  }

  /** The reader has gone: everything that runs for it ends. */
  readonly leave = (): void => {
    if (!this.isFinished) {
      const isDone = this.attempt?.isDone ?? false;
      this.recorder.settled(isDone ? 'ok' : 'cancelled');
      this.release();
      this.finish();
      // Nothing is left to be told after a whole answer, and an abort costs 1.4 µs even if nobody listens.
      if (!isDone) {
        this.controller.abort(READER_LEFT);
      }
      this.subscriber.complete();
    }
  };

  private tryOnce(): void {
    const { breaker, clock, pool } = this.tools;
    if (breaker.isOpen(clock.monotonic())) {
      this.fail(new UpstreamDownError());
      return;
    }
    this.attempts += 1;
    this.recorder.waits();
    const acquire = (signal: AbortSignal): Promise<Lease> => pool.acquire(this.tried, signal);
    this.opening.bound(acquire, this.controller.signal).then(
      (lease) => {
        this.recorder.waited();
        this.send(lease);
      },
      (error: unknown) => {
        this.recorder.waited();
        this.refused(error);
      },
    );
  }

  private send(lease: Lease): void {
    if (this.isFinished) {
      lease.release();
      return;
    }
    const { accounts, breaker, clock, settings } = this.tools;
    this.pass = breaker.tryPass(clock.monotonic());
    if (this.pass === undefined) {
      lease.release();
      this.fail(new UpstreamDownError());
      return;
    }
    this.lease = lease;
    this.opening.opened();
    this.tried.add(lease.account.id);
    this.recorder.leased(lease);
    accounts.countRequest(lease.account);
    const limits = { firstByteMs: settings.UPSTREAM_FIRST_BYTE_MS, idleMs: settings.UPSTREAM_IDLE_MS };
    this.attempt = new UpstreamAttempt(this.context.flow, limits, {
      accepted: () => this.recorder.accepted(),
      begun: () => this.begun(),
      next: (batch) => this.subscriber.next(batch),
      error: (error) => this.failed(error),
      complete: () => this.completed(),
    });
    const { flow, requestId } = this.context;
    this.attempt.start(lease.session, this.request, { signal: this.controller.signal, flow, requestId });
  }

  private begun(): void {
    this.recorder.begun();
    this.lease?.answered();
    this.tools.breaker.succeeded();
    this.pass = undefined;
  }

  private completed(): void {
    this.recorder.settled('ok');
    this.release();
    this.finish();
    this.subscriber.complete();
  }

  /** No session could be had. */
  private refused(error: unknown): void {
    if (this.isFinished) {
      return;
    }
    if (error instanceof UpstreamError) {
      this.recorder.refused(error);
      this.opening.refused(error);
      this.retryOrFail(error, judgeFailure(error, false));
    } else {
      this.recorder.gaveUp(this.tools.pool.obstacles());
      this.fail(error);
    }
  }

  private failed(error: unknown): void {
    const { isAccepted = false, hasBegun = false } = this.attempt ?? {};
    const wasOutdated = this.lease?.isCurrent() === false;
    this.countOutdated(error, wasOutdated);
    const verdict = judgeFailure(error, isAccepted, wasOutdated);
    this.applyToAccount(error, verdict);
    this.applyToBreaker(verdict);
    this.recorder.failed(error);
    this.release();
    const needsBudget = verdict.retry === 'after_backoff';
    if (hasBegun || (needsBudget && !this.tools.budget.tryWithdraw())) {
      this.fail(error);
    } else {
      this.retryOrFail(error, verdict);
    }
  }

  /** Every account's login may run out in the same moment, and each costs an attempt to be noticed. */
  private countOutdated(error: unknown, wasOutdated: boolean): void {
    const { accounts, settings } = this.tools;
    const hasRunOut = error instanceof LoginRequiredError && error.reason === 'login_wall';
    const isOutdated = wasOutdated || hasRunOut || error instanceof LoginReplacedError;
    const most = Math.max(settings.RETRY_MAX_ATTEMPTS, accounts.list().length);
    if (isOutdated && this.outdated < most) {
      this.outdated += 1;
    }
  }

  private retryOrFail(error: unknown, { retry }: Verdict): void {
    const { settings, random } = this.tools;
    if (retry === 'never' || this.attempts - this.outdated >= settings.RETRY_MAX_ATTEMPTS) {
      this.fail(error);
    } else if (retry === 'at_once') {
      this.tryOnce();
    } else {
      const { RETRY_BASE_DELAY_MS, RETRY_MAX_DELAY_MS } = settings;
      const waitMs = backoffMs(this.attempts, RETRY_BASE_DELAY_MS, RETRY_MAX_DELAY_MS, random.next());
      if (this.opening.allows(waitMs)) {
        this.backoff = setTimeout(() => this.tryOnce(), waitMs);
      } else {
        this.fail(error);
      }
    }
  }

  private applyToAccount(error: unknown, verdict: Verdict): void {
    // What becomes of an old login says nothing about the new one.
    if (!this.lease?.isCurrent()) {
      return;
    }
    const { account } = this.lease;
    if (error instanceof RateLimitedError) {
      this.tools.accounts.coolDown(account, error.retryAfterMs, error.message);
    } else if (error instanceof LoginRequiredError) {
      this.tools.accounts.loginLost(account, error);
    } else if (verdict.account === 'failed') {
      this.tools.accounts.countFailure(account);
    }
  }

  private applyToBreaker({ upstream }: Verdict): void {
    if (this.pass === undefined) {
      return;
    }
    if (upstream === 'alive') {
      this.tools.breaker.succeeded();
    } else if (upstream === 'failed') {
      this.tools.breaker.failed(this.pass, this.tools.clock.monotonic());
    } else {
      this.tools.breaker.undecided(this.pass);
    }
    this.pass = undefined;
  }

  /** Gives back what the present attempt holds, if there is one. */
  private release(): void {
    this.attempt?.cancel();
    if (this.pass !== undefined) {
      this.tools.breaker.undecided(this.pass);
    }
    this.lease?.release();
    this.attempt = this.pass = this.lease = undefined;
  }

  private fail(error: unknown): void {
    this.finish();
    this.subscriber.error(
      error instanceof GatewayError ? error : toCallerError(error, this.tools.pool.retryAfterMs()),
    );
  }

  private finish(): void {
    this.isFinished = true;
    clearTimeout(this.backoff);
    this.context.signal.removeEventListener('abort', this.leave);
  }
}
