import { type ResponseSink } from '../../src/upstream/web/capture/http-observer.js';

const MAX_TEXT_LENGTH = 1024 * 1024;

export interface RequestFacts {
  readonly method: string;
  readonly url: string;
  /** As the browser's network events name it, e.g. `Fetch` or `WebSocket`. */
  readonly type: string;
  readonly isWorker: boolean;
  readonly body?: string | undefined;
}

/** A message of an EventSource or a socket. */
export interface WatchedMessage {
  readonly data: string;
  readonly event: string;
}

/** One request or socket of a page, with its response so far. */
export class WatchedRequest implements ResponseSink {
  readonly facts: RequestFacts;
  status: number | undefined;
  contentType = '';
  /** The body of the answer, up to a megabyte. */
  text = '';
  /** Number of pieces in which the answer came. */
  reads = 0;
  readonly messages: WatchedMessage[] = [];
  readonly sentFrames: string[] = [];
  /** Whether a socket brought binary frames. */
  hasBinaryMessages = false;
  failure: string | undefined;
  isFinished = false;

  constructor(facts: RequestFacts) {
    this.facts = facts;
  }

  /** @param headers names in lower case */
  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.status = status;
    this.contentType = headers['content-type'] ?? '';
  }

  data(text: string): void {
    this.reads++;
    this.text += text.slice(0, MAX_TEXT_LENGTH - this.text.length);
  }

  message(data: string, event = 'message'): void {
    this.reads++;
    this.messages.push({ data, event });
  }

  binaryMessage(): void {
    this.reads++;
    this.hasBinaryMessages = true;
  }

  sent(frame: string): void {
    this.sentFrames.push(frame);
  }

  fail(why: string): void {
    this.failure = why;
    this.isFinished = true;
  }

  /** Ends the body. */
  end(): void {
    this.close();
  }

  close(): void {
    this.isFinished = true;
  }
}
