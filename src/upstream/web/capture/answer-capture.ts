import { type FlowGate } from '../../flow-gate.js';
import { type UpstreamBatch } from '../../upstream-driver.js';
import { type EarlierPrompts } from './earlier-prompts.js';

/** A prompt that is about to be sent, and the receivers of its answer. */
export interface CaptureTask {
  readonly prompt: string;
  /** Whether the outgoing body must hold the prompt; false if it is attached as a file. */
  readonly isPromptInBody: boolean;
  /** Prompts that this one must not be sent together with. */
  readonly earlier: EarlierPrompts;
  readonly flow: FlowGate;
  readonly emit: (batch: UpstreamBatch) => void;
  /** Called at each sign of life of the answer. */
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

/** Reads one answer from one page. Attached while the page is prepared, used once. */
export abstract class AnswerCapture {
  /** The page's next matching request is taken as the prompt. */
  abstract start(task: CaptureTask): CaptureRun;

  /** Text for the page in place of the prompt, to be replaced where it goes out; only with the method `request`. */
  get placeholder(): string | undefined {
    return undefined;
  }

  /** Response of the page or the site in place of an answer, for the message of a failure; undefined if unknown. */
  get findings(): string | undefined {
    return undefined;
  }

  /** How many requests that fit have left without a text that is known as the prompt. */
  get otherRequests(): number {
    return 0;
  }

  /** Whether a frame of a socket carried the prompt, of which only the page shows what comes. */
  get hasSentFrame(): boolean {
    return false;
  }

  /** False once the page has lost the connection over which answers come; it may come back. */
  get isConnected(): boolean {
    return true;
  }

  /** Drops the rest of the answer, and breaks its connection where that is this capture's own. */
  abstract cancel(): void;
}

/** State of one run, as its promises and flags. */
export class RunControl implements CaptureRun {
  private readonly request = Promise.withResolvers<void>();
  private readonly end = Promise.withResolvers<void>();
  private wasRequested = false;
  private isOver = false;

  constructor() {
    // A promise that is not awaited must not count as an unhandled rejection.
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

  /** Ends the run and settles nothing. */
  cancel(): void {
    this.isOver = true;
  }

  fail(error: unknown): void {
    this.isOver = true;
    this.request.reject(error);
    this.end.reject(error);
  }

  /** Runs a step of the capture; an error ends the run. Steps after the end are skipped. */
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
