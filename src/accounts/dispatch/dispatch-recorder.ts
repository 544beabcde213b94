import { messageWithCauses } from '../../common/errors/message-with-causes.js';
import { UpstreamError } from '../../upstream/upstream.errors.js';
import { type ConsideredAccount } from '../pool/account-selection.js';
import { type Lease } from '../pool/lease.js';
import { type AttemptTrace, type DispatchTrace } from './dispatch-trace.js';

/** Writes the way of one dispatch into a trace. */
export class DispatchRecorder {
  private attempt: AttemptTrace | undefined;
  private waitsSinceMs = 0;

  /** @param elapsedMs milliseconds since the request began */
  constructor(
    private readonly trace: DispatchTrace,
    private readonly elapsedMs: () => number,
  ) {}

  waits(): void {
    this.waitsSinceMs = this.elapsedMs();
  }

  waited(): void {
    this.trace.queuedMs += this.elapsedMs() - this.waitsSinceMs;
  }

  /** No session could be had. */
  refused(error: UpstreamError): void {
    const { reason: outcome } = error;
    this.trace.attempts.push({
      startedMs: this.elapsedMs(),
      durationMs: 0,
      outcome,
      detail: messageWithCauses(error),
    });
  }

  /** The request ends without a session. */
  gaveUp(obstacles: readonly ConsideredAccount[]): void {
    this.trace.considered = obstacles;
  }

  leased({ account: { name: account }, sessionId, considered }: Lease): void {
    const startedMs = this.elapsedMs();
    this.attempt = { account, sessionId, startedMs, durationMs: 0, outcome: 'running', considered };
    this.trace.attempts.push(this.attempt);
    Object.assign(this.trace, { account, sessionId });
  }

  accepted(): void {
    this.trace.acceptedMs = this.elapsedMs();
  }

  begun(): void {
    this.trace.firstAnswerMs = this.elapsedMs();
  }

  /** The present attempt, if there is one, has failed. */
  failed(error: unknown): void {
    if (this.attempt && error instanceof Error) {
      this.attempt.detail = messageWithCauses(error);
    }
    this.settled(error instanceof UpstreamError ? error.reason : 'driver_error');
  }

  /** The present attempt, if there is one, has ended. */
  settled(outcome: string): void {
    if (this.attempt) {
      this.attempt.durationMs = this.elapsedMs() - this.attempt.startedMs;
      this.attempt.outcome = outcome;
      this.attempt = undefined;
    }
  }
}
