import { type ChatEvent } from '../model/event-writer.js';
import { type FixedResponse } from './sandbox-refusal.js';

/** Destination of an answer: an HTTP response or a WebSocket. */
export interface SandboxSink {
  /** Sends the headers of a stream. */
  open(): void;
  /** Returns false under back-pressure: wait for `drained` before the next call. */
  send(events: readonly ChatEvent[]): boolean;
  /** Resolves when the buffer is empty again; rejects when the signal aborts. */
  drained(signal: AbortSignal): Promise<void>;
  /** Sends a whole response in place of a stream. */
  refuse(response: FixedResponse): void;
  /** Ends the answer. */
  end(): void;
  /** Ends an incomplete answer in good order; a WebSocket is closed, so that its page expects no further event. */
  breakOff(): void;
  /** Cuts the connection at once. */
  destroy(): void;
}
