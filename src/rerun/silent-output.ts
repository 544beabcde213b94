import { CollectingOutput } from '../chat/completion/output/collecting-output.js';

/** A caller that reads everything at once and keeps nothing. */
export class SilentOutput extends CollectingOutput {
  /** @param isCommitted whether it counts as having got bytes */
  constructor(public isCommitted = false) {
    super();
  }

  begin(): void {
    this.isCommitted = true;
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
