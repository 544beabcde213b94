import { Observable, type Subscriber } from 'rxjs';
import { type Settings } from '../../common/config/settings.js';
import { GatewayError, TooManyRequestsError } from '../../common/errors/gateway.errors.js';
import { HOUR_MS } from '../../common/time/durations.js';
import { UpstreamError } from '../../upstream/upstream.errors.js';
import { type UpstreamBatch, type UpstreamRequest } from '../../upstream/upstream-driver.js';
import { DispatchReporter } from '../dispatch/dispatch-reporter.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { toCallerError } from '../dispatch/failures/caller-error.js';
import { UpstreamAttempt } from '../dispatch/upstream-attempt.js';
import { type DispatchContext } from '../dispatch/upstream-dispatch.js';
import { FAILED_OPENING, judgeFailure } from '../failure-policy.js';
import { endOfRecording, RecordedSession } from './recorded-session.js';

/** One attempt to be played back. */
export interface AttemptToReplay {
  readonly account?: string;
  readonly batches: readonly UpstreamBatch[];
  readonly error?: Error;
}

/** One dispatch to be played back. */
export interface DispatchToReplay {
  readonly attempts: readonly AttemptToReplay[];
  /** Why no attempt was made, or none any more. */
  readonly refusal?: Error;
}

/** Silence is part of a recording, as an error: nothing is waited for. */
const NO_LIMITS = { firstByteMs: HOUR_MS, idleMs: HOUR_MS, progressMs: HOUR_MS };

/**
 * Answers from recordings instead of an upstream, in their order. Failures are judged by today's rules; where these ask
 * for an attempt that was never made, the recording ends.
 */
export class RecordedDispatcher extends Dispatcher {
  private next = 0;

  constructor(
    private readonly dispatches: readonly DispatchToReplay[],
    private readonly settings: Settings,
  ) {
    super();
  }

  dispatch(request: UpstreamRequest, context: DispatchContext): Observable<UpstreamBatch> {
    const recorded = this.dispatches[this.next++] ?? { attempts: [], refusal: endOfRecording() };
    return new Observable((subscriber) => {
      const run = new RecordedRun(recorded, request, context, this.settings, subscriber);
      run.tryNext();
      return () => run.leave();
    });
  }
}

class RecordedRun {
  private place = 0;
  private attempt: UpstreamAttempt | undefined;
  private readonly reporter: DispatchReporter;

  constructor(
    private readonly recorded: DispatchToReplay,
    private readonly request: UpstreamRequest,
    private readonly context: DispatchContext,
    private readonly settings: Settings,
    private readonly subscriber: Subscriber<UpstreamBatch>,
  ) {
    this.reporter = new DispatchReporter(context.report, () => 0);
  }

  tryNext(): void {
    const { attempts, refusal } = this.recorded;
    const recorded = attempts[this.place++];
    if (!recorded) {
      this.fail(refusal ?? endOfRecording());
      return;
    }
    const { account, batches, error } = recorded;
    if (account !== undefined) {
      this.reporter.attemptStarted({ account: { name: account } });
    }
    const attempt = new UpstreamAttempt(this.context.flow, NO_LIMITS, {
      accepted: () => this.reporter.accepted(),
      begun: () => this.reporter.begun(),
      next: (batch) => this.subscriber.next(batch),
      error: (failure) => this.failed(failure, attempt, account === undefined),
      complete: () => {
        this.reporter.attemptEnded('ok');
        this.subscriber.complete();
      },
    });
    this.attempt = attempt;
    attempt.start(new RecordedSession(batches, error), this.request, this.context);
  }

  /** Nothing more is wanted. */
  leave(): void {
    this.reporter.attemptEnded(this.attempt?.isDone ? 'ok' : 'cancelled');
    this.attempt?.cancel();
  }

  private failed(error: unknown, attempt: UpstreamAttempt, isOpening: boolean): void {
    if (isOpening && error instanceof UpstreamError) {
      this.reporter.openingFailed(error);
    } else {
      this.reporter.attemptFailed(error);
    }
    const sent = { stage: attempt.stage, isLoginCurrent: true };
    const { retry } = judgeFailure(error, isOpening ? FAILED_OPENING : sent);
    const { attempts, refusal } = this.recorded;
    const hasMore = this.place < attempts.length || refusal !== undefined;
    if (retry.kind !== 'never' && hasMore) {
      this.tryNext();
    } else {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    const context = {
      limits: this.settings,
      // There is no pool that knows more.
      rateLimit: (cause: unknown) =>
        new TooManyRequestsError('The upstream limits the rate of requests.', undefined, { cause }),
    };
    this.subscriber.error(error instanceof GatewayError ? error : toCallerError(error, context));
  }
}
