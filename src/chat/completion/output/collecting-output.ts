import { FlowValve } from '../../../upstream/flow-gate.js';
import { type FinishReason, type TokenUsage } from '../../../upstream/upstream-driver.js';
import { type Answer } from '../answer.js';
import { type CompletionOutput } from './completion-output.js';

/** An output that needs nothing but the whole answer, whose pieces the pipeline collects. */
export abstract class CollectingOutput implements CompletionOutput {
  readonly flow = new FlowValve();
  abstract readonly isCommitted: boolean;

  abstract begin(): void;
  abstract finish(answer: Answer, reason: FinishReason, usage: TokenUsage): void;
  abstract drop(): void;
  abstract fail(): void;

  text(): void {
    // See above.
  }

  reasoning(): void {
    // See above.
  }

  refusal(): void {
    // See above.
  }

  toolCall(): void {
    // See above.
  }

  flush(): void {
    // Nothing is written before the end.
  }

  stopHeartbeats(): void {
    // There are none.
  }
}
