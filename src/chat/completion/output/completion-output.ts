import { type GatewayError } from '../../../common/errors/gateway.errors.js';
import { type FlowGate } from '../../../upstream/flow-gate.js';
import { type FinishReason, type TokenUsage } from '../../../upstream/upstream-driver.js';
import { type Answer } from '../answer.js';
import { type DeltaSink } from '../stages/stage.js';

/**
 * End of a stream that fails after its first byte: with an error event and a clean end, with an error event and a
 * broken connection, or with the broken connection alone. None looks like a whole answer.
 */
export type StreamFailure = 'event' | 'event_and_cut' | 'cut';

/**
 * The caller's end of a completion. Before `begin` nothing has been written and a failure can still have a real
 * status code; `finish` or `fail` comes at most once. What it holds ends with the response.
 */
export interface CompletionOutput extends DeltaSink {
  /** Closed while the caller reads slower than we write. */
  readonly flow: FlowGate;
  /** True once the status line has been written. */
  readonly isCommitted: boolean;
  /** Before `begin`. @param count tokens of the prompt, maybe estimated; called only where the beginning says them */
  tellPrompt?(count: () => number): void;
  /** The upstream has begun to answer. May be called again. */
  begin(): void;
  /** Lets the pieces since the last flush go out together. */
  flush(): void;
  finish(answer: Answer, reason: FinishReason, usage: TokenUsage): void;
  /** The answer is about to be dropped: silence must not commit it before. */
  stopHeartbeats(): void;
  /** Breaks the connection before any byte of an answer: the caller's library will try again by itself. */
  drop(): void;
  /** Tells a caller to whom bytes have gone already that the answer failed. */
  fail(error: GatewayError, ending: StreamFailure): void;
}
