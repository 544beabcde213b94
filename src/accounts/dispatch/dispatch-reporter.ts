import { messageWithCauses } from '../../common/errors/message-with-causes.js';
import { UpstreamError } from '../../upstream/upstream.errors.js';
import { type ConsideredAccount } from '../pool/account-selection.js';
import { type AttemptReport, type DispatchReport } from './dispatch-report.js';

/** What a report tells of a lease. */
type ReportedLease = Pick<AttemptReport, 'sessionId' | 'considered'> & {
  readonly account: { readonly name: string };
};

/** Writes the course of one dispatch into its report. */
export class DispatchReporter {
  private attempt: AttemptReport | undefined;
  /** Undefined outside the queue. */
  private queuedSinceMs: number | undefined;

  /**
   * @param elapsedMs milliseconds since the request began
   * @param progressed called once the report tells of a further step
   */
  constructor(
    private readonly report: DispatchReport,
    private readonly elapsedMs: () => number,
    private readonly progressed: () => void = () => undefined,
  ) {}

  queueEntered(): void {
    const now = this.elapsedMs();
    this.queuedSinceMs = now;
    this.report.preparedMs ??= now;
    this.progressed();
  }

  /** It may have left already: as its caller did, before the queue says so. */
  queueLeft(): void {
    if (this.queuedSinceMs !== undefined) {
      this.report.queuedMs += this.elapsedMs() - this.queuedSinceMs;
      this.queuedSinceMs = undefined;
    }
  }

  /** No session could be opened. */
  openingFailed(error: UpstreamError): void {
    const { fault: outcome } = error;
    this.report.attempts.push({
      startedMs: this.elapsedMs(),
      durationMs: 0,
      outcome,
      detail: messageWithCauses(error),
    });
  }

  /** The pool refused the request. */
  refused(obstacles: readonly ConsideredAccount[]): void {
    this.report.considered = obstacles;
  }

  attemptStarted({ account: { name: account }, sessionId, considered }: ReportedLease): void {
    const startedMs = this.elapsedMs();
    this.attempt = { account, sessionId, startedMs, durationMs: 0, outcome: 'running', considered };
    this.report.attempts.push(this.attempt);
    Object.assign(this.report, { account, sessionId });
    this.progressed();
  }

  /** The upstream took the prompt. */
  accepted(): void {
    this.report.acceptedMs = this.elapsedMs();
    this.progressed();
  }

  /** The answer began. */
  begun(): void {
    this.report.firstAnswerMs = this.elapsedMs();
    this.progressed();
  }

  /** The present attempt failed, if there is one. @param cooldownMs cooldown that its account has got */
  attemptFailed(error: unknown, cooldownMs?: number): void {
    if (this.attempt && error instanceof Error) {
      this.attempt.detail = messageWithCauses(error);
    }
    if (this.attempt && cooldownMs !== undefined) {
      this.attempt.cooldownMs = cooldownMs;
    }
    this.attemptEnded(error instanceof UpstreamError ? error.fault : 'driver_error');
  }

  /** The present attempt ended, if there is one. */
  attemptEnded(outcome: string): void {
    if (this.attempt) {
      this.attempt.durationMs = this.elapsedMs() - this.attempt.startedMs;
      this.attempt.outcome = outcome;
      this.attempt = undefined;
    }
  }
}
