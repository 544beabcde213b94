import { type ChatEvent } from '../model/event-writer.js';
import { type FixedResponse } from './sandbox-refusal.js';

/** Where an answer goes: an HTTP response, or a WebSocket. */
export interface SandboxSink {
  /** Sends the headers of a stream. */
  open(): void;
  /** False once the reader has fallen behind; wait for `drained` then. */
  send(events: readonly ChatEvent[]): boolean;
  drained(signal: AbortSignal): Promise<void>;
  /** Sends a whole response in place of a stream. */
  refuse(response: FixedResponse): void;
  /** Ends the answer. */
  end(): void;
  /** Ends it in good order too, but so that no further event can be hoped for. */
  breakOff(): void;
  /** Cuts the connection as it is. */
  destroy(): void;
}
