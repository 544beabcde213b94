import { StringDecoder } from 'node:string_decoder';
import { type Subscriber } from 'rxjs';
import { type Dispatcher } from 'undici';
import { CANCELLED, type NetworkExchange } from '../../common/network/network-log.js';
import { ProxyError } from '../../common/network/proxy/tunnel.js';
import { type FillerCounter } from '../answer-progress.js';
import { connectFailure } from '../connect-failure.js';
import { type FlowGate } from '../flow-gate.js';
import { assertMayBegin, type SendPermit } from '../send-permit.js';
import { UnavailableError, type UpstreamError } from '../upstream.errors.js';
import { type UpstreamBatch } from '../upstream-driver.js';
import { type AnswerBody, answerBodyFor, contentForm } from './answer-body.js';
import { type ErrorReader } from './chunk-reader.js';
import { type ReasoningName } from './request/earlier-reasoning.js';
import { type ResponseHeaders } from './retry-after.js';
import { networkError } from './upstream-failure.js';

/** Bytes of an error response that are read at most. */
const MAX_ERROR_BYTES = 2048;
/** Time limit in ms for the rest of a response once its meaning is clear; then its connection is closed. */
const REST_MS = 1000;
/** Likewise where the finish reason came with a piece of the answer: some servers send one with each, and text may follow. */
const LATE_REST_MS = 20_000;

/** Creates the typed error for a status that is no success, from the first bytes of its body. */
export type FailureReader = (status: number, headers: ResponseHeaders, body: string) => UpstreamError;

/** State that an exchange shares with its session. */
export interface ExchangeSurroundings {
  readonly readFailure: FailureReader;
  readonly readError: ErrorReader;
  /** Told once of an answer, whole or not: the name of its reasoning, if it has any. */
  readonly answered: (reasoningName: ReasoningName | undefined) => void;
  readonly filler: FillerCounter;
  /** Entry in the log of network traffic. */
  readonly record: NetworkExchange;
  readonly permit: SendPermit | undefined;
}

type Phase = 'waiting' | 'answering' | 'failing' | 'over';

/**
 * One request on the wire: takes undici's callbacks and emits batches, one for each read of the socket. undici calls
 * back once for each HTTP chunk, many of which may come with one read, so the batch goes out in a microtask.
 *
 * A success status alone is not yet `accepted`: some servers send it first and their refusal as the first event, and
 * proxies in front of broken servers answer with empty or foreign bodies.
 */
export class CompletionExchange implements Dispatcher.DispatchHandler {
  private phase: Phase = 'waiting';
  private controller: Dispatcher.DispatchController | undefined;
  private answer: AnswerBody | undefined;
  /** Less than half the price of a `TextDecoder`, 0.1 µs a piece. */
  private readonly decoder = new StringDecoder('utf8');
  private isFlushPending = false;
  private fail: (() => UpstreamError) | undefined;
  private readonly errorBytes: Buffer[] = [];
  private rest: NodeJS.Timeout | undefined;
  private readonly record: NetworkExchange;

  constructor(
    private readonly subscriber: Subscriber<UpstreamBatch>,
    private readonly flow: FlowGate,
    private readonly surroundings: ExchangeSurroundings,
  ) {
    this.record = surroundings.record;
  }

  /** Closes the connection at once; nothing is emitted any more. */
  cancel(): void {
    if (this.phase !== 'over') {
      this.phase = 'over';
      this.record.end(CANCELLED);
      this.closeConnection();
    }
  }

  /** undici has a connection and writes next. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.phase === 'over') {
      this.closeConnection();
      return;
    }
    try {
      assertMayBegin(this.surroundings.permit);
    } catch (error) {
      this.settle(error as UpstreamError);
    }
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // undici would keep the bytes of each header for as long as the answer takes: 2 KB.
    controller.rawHeaders = null;
    if (status < 200 || this.phase !== 'waiting') {
      return;
    }
    this.record.head(status, headers);
    if (status >= 300) {
      this.phase = 'failing';
      this.fail = () =>
        this.surroundings.readFailure(status, headers, Buffer.concat(this.errorBytes).toString());
      this.limitRest(() => this.settle(this.failure()));
      return;
    }
    this.phase = 'answering';
    this.answer = answerBodyFor(headers, this.surroundings.readError);
    if (!this.answer) {
      const form = contentForm(headers);
      this.settle(new UnavailableError('unexpected_content_type', `The upstream answered with ${form}.`));
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.phase === 'failing') {
      this.readErrorBytes(bytes);
    } else if (this.phase === 'answering' && this.answer) {
      try {
        const text = this.decoder.write(bytes);
        this.record.data(bytes.length, text);
        this.surroundings.filler.add(bytes.length);
        this.answer.push(text);
      } catch (error) {
        this.settle(readingError(error));
        return;
      }
      if (!this.isFlushPending) {
        this.isFlushPending = true;
        queueMicrotask(this.flush);
      }
    }
  }

  onResponseEnd(): void {
    this.controller = undefined;
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // A proxy may refuse what it was sent; the upstream has seen nothing of it.
    const hasBegun = this.controller !== undefined && !(error instanceof ProxyError);
    this.controller = undefined;
    if (this.phase === 'waiting') {
      this.settle(
        hasBegun
          ? new UnavailableError('connection_lost', 'The upstream closed the connection without an answer.', {
              cause: error,
            })
          : connectFailure(error),
      );
    } else if (this.phase === 'answering' && !this.answer?.isFinished) {
      this.answer?.accept();
      this.settle(
        new UnavailableError('stream_reset', 'The upstream broke off its answer.', { cause: error }),
      );
    } else {
      this.end();
    }
  }

  /** Reads the end of the response. */
  private end(): void {
    clearTimeout(this.rest);
    if (this.phase === 'failing') {
      this.settle(this.failure());
    } else if (this.phase === 'answering') {
      try {
        this.answer?.push(this.decoder.end());
        this.answer?.end();
      } catch (error) {
        this.settle(readingError(error));
        return;
      }
      this.settle();
    }
  }

  /** The error for a failed response. Nothing may be thrown here: undici and timers would take it for a fault of their own. */
  private failure(): UpstreamError | undefined {
    try {
      return this.fail?.();
    } catch (error) {
      return new UnavailableError('malformed_event', 'The refusal of the upstream cannot be read.', {
        cause: error,
      });
    }
  }

  private readonly flush = (): void => {
    this.isFlushPending = false;
    const { answer } = this;
    if (this.phase !== 'answering' || !answer) {
      return;
    }
    if (answer.isComplete) {
      this.settle();
      return;
    }
    // A comment or half an event is no event, but shows that the upstream is at work.
    answer.accept();
    const batch = answer.take();
    this.surroundings.filler.take(batch);
    this.subscriber.next(batch);
    if (this.isOver()) {
      return;
    }
    if (!answer.isFinal && !this.flow.isOpen) {
      clearTimeout(this.rest);
      this.pause(answer);
    } else if (answer.isFinal || batch.length > 0 || !this.rest) {
      this.limitAnswer(answer);
    }
  };

  /** Ends an answer that has a finish reason, unless more of it comes in time; comments do not count. */
  private limitAnswer({ isFinished, isFinal }: AnswerBody): void {
    if (isFinished) {
      this.limitRest(() => this.end(), isFinal ? REST_MS : LATE_REST_MS);
    }
  }

  /** A method, since a subscriber that leaves changes the phase behind the compiler's back. */
  private isOver(): boolean {
    return this.phase === 'over';
  }

  private pause(answer: AnswerBody): void {
    const { controller } = this;
    controller?.pause();
    void this.flow.whenOpen().then(() => {
      if (this.phase === 'answering') {
        controller?.resume();
        this.limitAnswer(answer);
      }
    });
  }

  private readErrorBytes(bytes: Buffer): void {
    const read = this.errorBytes.reduce((sum, piece) => sum + piece.length, 0);
    this.errorBytes.push(bytes.subarray(0, MAX_ERROR_BYTES - read));
    this.record.data(bytes.length, bytes.toString());
    if (read + bytes.length >= MAX_ERROR_BYTES) {
      this.settle(this.failure());
    }
  }

  /** Emits the remaining events and ends the Observable, once. */
  private settle(error?: UpstreamError): void {
    if (this.phase === 'over') {
      return;
    }
    this.phase = 'over';
    this.surroundings.answered(this.answer?.reasoningName);
    const last = this.answer?.take() ?? [];
    if (last.length > 0) {
      this.subscriber.next(last);
    }
    if (error) {
      this.closeConnection();
      this.subscriber.error(error);
      this.record.end(networkError(error));
      return;
    }
    if (this.controller) {
      // The connection serves the next request if the end of the body arrives in time.
      this.limitRest(() => this.closeConnection());
    }
    this.subscriber.complete();
    this.record.end();
  }

  private limitRest(onLimit: () => void, ms = REST_MS): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(onLimit, ms);
    this.rest.unref();
  }

  private closeConnection(): void {
    clearTimeout(this.rest);
    const { controller } = this;
    this.controller = undefined;
    controller?.abort(new Error('The gateway needs no more of this response.'));
  }
}

/** `JSON.parse` takes any depth, but what reads its objects by calling itself runs out of stack. */
function readingError(error: unknown): UpstreamError {
  return error instanceof RangeError
    ? new UnavailableError('malformed_event', 'The upstream sent JSON that is nested too deeply.', {
        cause: error,
      })
    : (error as UpstreamError);
}
