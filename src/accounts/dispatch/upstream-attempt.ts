import { type Observable, type Observer, type Subscription } from 'rxjs';
import { HOUR_MS } from '../../common/time/durations.js';
import { bringsProgress } from '../../upstream/answer-progress.js';
import { type FlowGate } from '../../upstream/flow-gate.js';
import { SilenceWatchdog } from '../../upstream/silence-watchdog.js';
import { UnavailableError } from '../../upstream/upstream.errors.js';
import {
  type SendContext,
  type UpstreamBatch,
  type UpstreamRequest,
  type UpstreamSession,
} from '../../upstream/upstream-driver.js';
import { type FailedAttempt } from '../failure-policy.js';

/**
 * Time limit of a whole answer, for upstreams that give signs of life and never end: the longest answer possible,
 * 65,536 tokens, takes 55 minutes at 20 tokens a second.
 */
const ANSWER_LIMIT_MS = HOUR_MS;

/** Longest waits for the upstream in milliseconds. */
interface WaitingLimits {
  /** Until it accepts the prompt. */
  readonly firstByteMs: number;
  /** From then on, between two reads. */
  readonly idleMs: number;
  /** Between two pieces of the answer, whatever else is read. */
  readonly progressMs: number;
}

/** Receives the progress of an attempt. `next` brings every batch, from the beginning of the answer on. */
export interface AttemptObserver extends Observer<UpstreamBatch> {
  /** The upstream took the prompt. */
  accepted(): void;
  /** The answer begins: right before the first batch. */
  begun(): void;
}

/**
 * One prompt on one session. Batches are held back until the upstream begins to answer, so that the attempt can be
 * repeated elsewhere until then; afterwards they pass straight through.
 * Ends exactly once, by `complete` or `error`, unless it is cancelled.
 */
export class UpstreamAttempt {
  /** Last stage that was reached. */
  stage: Exclude<FailedAttempt['stage'], 'opening'> = 'sent';
  /** The upstream has said that its answer is complete. */
  isDone = false;
  private hasEnded = false;
  private held: UpstreamBatch | undefined;
  private source: Subscription | undefined;
  private limit: NodeJS.Timeout | undefined;
  private readonly watchdog: SilenceWatchdog;
  private readonly progress: SilenceWatchdog;

  constructor(
    flow: FlowGate,
    private readonly limits: WaitingLimits,
    private readonly observer: AttemptObserver,
  ) {
    this.watchdog = new SilenceWatchdog(flow, () => this.onSilence());
    this.progress = new SilenceWatchdog(flow, () => this.onNoProgress());
  }

  start(session: UpstreamSession, request: UpstreamRequest, context: SendContext): void {
    this.watchdog.start(this.limits.firstByteMs);
    this.progress.start(this.limits.progressMs);
    this.limit = setTimeout(() => this.onAnswerLimit(), ANSWER_LIMIT_MS).unref();
    let answer$: Observable<UpstreamBatch>;
    try {
      answer$ = session.send(request, context);
    } catch (error) {
      this.end(error);
      return;
    }
    this.source = answer$.subscribe({
      next: (batch) => this.next(batch),
      error: (error: unknown) => this.end(this.isDone ? undefined : error),
      complete: () =>
        this.end(this.isDone ? undefined : new UnavailableError('truncated', 'The upstream cut its answer.')),
    });
    // The source may end, or the caller leave, before `subscribe` returns.
    if (this.hasEnded) {
      this.source.unsubscribe();
    }
  }

  /** Cancels the upstream's work; the observer receives nothing more. */
  cancel(): void {
    this.hasEnded = true;
    this.watchdog.stop();
    this.progress.stop();
    clearTimeout(this.limit);
    this.source?.unsubscribe();
  }

  private next(batch: UpstreamBatch): void {
    if (this.hasEnded) {
      return;
    }
    this.watchdog.touch();
    const last = batch[batch.length - 1];
    // An empty batch is only a sign of life: a comment, or half an event.
    if (last === undefined) {
      return;
    }
    if (bringsProgress(batch)) {
      this.progress.touch();
    }
    if (last.type === 'done') {
      this.isDone = true;
    }
    if (this.stage === 'answering') {
      this.observer.next(batch);
    } else {
      this.begin(batch);
    }
  }

  private begin(batch: UpstreamBatch): void {
    if (this.stage === 'sent') {
      this.stage = 'accepted';
      this.watchdog.start(this.limits.idleMs);
      this.observer.accepted();
    }
    if (batch.every(({ type }) => type === 'accepted')) {
      this.held = batch;
      return;
    }
    this.stage = 'answering';
    this.observer.begun();
    if (this.held) {
      this.observer.next(this.held);
    }
    // The caller may have left at the held batch.
    if (!this.hasEnded) {
      this.observer.next(batch);
    }
  }

  private onSilence(): void {
    if (this.isDone) {
      this.end(undefined);
    } else if (this.stage !== 'sent') {
      this.end(new UnavailableError('stream_idle', 'The upstream fell silent within its answer.'));
    } else {
      this.end(new UnavailableError('first_byte_timeout', 'The upstream did not answer in time.'));
    }
  }

  private onNoProgress(): void {
    this.end(
      this.isDone
        ? undefined
        : new UnavailableError('no_progress', 'The upstream sent no piece of an answer for too long.'),
    );
  }

  private onAnswerLimit(): void {
    this.end(new UnavailableError('answer_endless', 'The upstream took too long to end its answer.'));
  }

  private end(error: unknown): void {
    if (this.hasEnded) {
      return;
    }
    this.cancel();
    if (error === undefined) {
      this.observer.complete();
    } else {
      this.observer.error(error);
    }
  }
}
