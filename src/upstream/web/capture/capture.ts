import { type FlowGate } from '../../flow-gate.js';
import { type UpstreamBatch } from '../../upstream-driver.js';

/** What a capture needs to know of the prompt that is about to be sent. */
export interface CaptureTask {
  readonly prompt: string;
  /** Stands for the prompt in the page, to be replaced in the outgoing body; undefined with other methods. */
  readonly placeholder: string | undefined;
  /** Whether the outgoing body must hold the prompt; false when it goes as a file. */
  readonly isPromptInBody: boolean;
  readonly flow: FlowGate;
  readonly emit: (batch: UpstreamBatch) => void;
  /** Called whenever anything is heard of the answer. */
  readonly onActivity: () => void;
}

/** The capture of one answer. */
export interface CaptureRun {
  /** Whether the page has sent the prompt. */
  readonly isRequested: boolean;
  /** Resolves when the page has sent the prompt; rejects as `finished` does. */
  readonly requested: Promise<void>;
  /** Resolves when the answer is over, and rejects with an UpstreamError if it fails. */
  readonly finished: Promise<void>;
}

/** Gets one answer out of one page. Made while the page is warmed, used once. */
export abstract class AnswerCapture {
  /** From now on the page's request counts. */
  abstract start(task: CaptureTask): CaptureRun;

  /** Nothing more is wanted of the answer: breaks its connection, where it is this capture's own. */
  abstract cancel(): void;
}

/** The promises of a run, and the state between them. */
export class RunControl implements CaptureRun {
  private readonly request = Promise.withResolvers<void>();
  private readonly end = Promise.withResolvers<void>();
  private wasRequested = false;
  private isOver = false;

  constructor() {
    // Whoever is not waited for must not count as an unhandled rejection.
    this.request.promise.catch(() => undefined);
    this.end.promise.catch(() => undefined);
  }

  get isRequested(): boolean {
    return this.wasRequested;
  }

  get requested(): Promise<void> {
    return this.request.promise;
  }

  get finished(): Promise<void> {
    return this.end.promise;
  }

  markRequested(): void {
    this.wasRequested = true;
    this.request.resolve();
  }

  finish(): void {
    this.isOver = true;
    this.end.resolve();
  }

  /** Nothing runs any more, and nobody is told. */
  cancel(): void {
    this.isOver = true;
  }

  fail(error: unknown): void {
    this.isOver = true;
    this.request.reject(error);
    this.end.reject(error);
  }

  /** Runs a step of the capture; what it throws ends the run. After the end nothing runs any more. */
  step(work: () => void): void {
    if (this.isOver) {
      return;
    }
    try {
      work();
    } catch (error) {
      this.fail(error);
    }
  }
}
