import { type CompletionOutput } from '../chat/completion/output/completion-output.js';
import { FlowValve } from '../upstream/flow-gate.js';

/** A caller that reads everything at once and keeps nothing. */
export class SilentOutput implements CompletionOutput {
  readonly flow = new FlowValve();
  isCommitted = false;

  begin(): void {
    this.isCommitted = true;
  }

  text(): void {
    // Nobody reads it.
  }

  reasoning(): void {
    // Nobody reads it.
  }

  toolCall(): void {
    // Nobody reads it.
  }

  refusal(): void {
    // Nobody reads it.
  }

  flush(): void {
    // There is nothing to write.
  }

  finish(): void {
    // Nobody waits for it.
  }

  drop(): void {
    // There is no connection.
  }

  fail(): void {
    // Nobody is told.
  }
}
