import { type FinishReason, type TokenUsage } from '../../../upstream/upstream-driver.js';
import { type Answer } from '../answer.js';
import { CollectingOutput } from './collecting-output.js';
import { type JsonOutput } from './json-output.js';

/** A choice that others follow in one JSON body: its answer is kept for them. */
export class EarlierChoice extends CollectingOutput {
  /** @param whole output of the last one, which writes the body of all */
  constructor(
    private readonly whole: JsonOutput,
    private readonly keep: (answer: Answer, reason: FinishReason, usage: TokenUsage) => void,
  ) {
    super();
  }

  get isCommitted(): boolean {
    return this.whole.isCommitted;
  }

  begin(): void {
    // A JSON answer begins when it is complete.
  }

  finish(answer: Answer, reason: FinishReason, usage: TokenUsage): void {
    this.keep(answer, reason, usage);
  }

  override stopHeartbeats(): void {
    this.whole.stopHeartbeats();
  }

  drop(): void {
    this.whole.drop();
  }

  fail(): void {
    this.whole.fail();
  }
}
