import { Stage } from './stage.js';

/** Drops the reasoning of a model that is not to think, behind the guards, which may look at it. */
export class WithoutReasoningStage extends Stage {
  override reasoning(): void {
    // Nobody asked for it.
  }
}
