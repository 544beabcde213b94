import { type LogContent } from '../../logs/records/log-content.js';
import { type RequestDetails } from '../../logs/records/request-log-entry.js';
import { type Answer } from '../completion/answer.js';
import { type Guard, type GuardHooks } from '../completion/guard.js';
import { type DeltaSink } from '../completion/stages/stage.js';
import { CallFaults } from './call-faults.js';
import { OfferedTools } from './calls/offered-tools.js';
import { toolCallDetails } from './calls/tool-call-details.js';
import { reaskCorrection } from './contract/reask-prompt.js';
import { callableTools, mustCall, type ToolOffer } from './contract/tool-offer.js';
import { ToolCallStage } from './tool-call.stage.js';

/**
 * Finds the tool calls in the answers to one request. A model whose call cannot be read, that does not call although it
 * has to, or that answers nothing is asked once more: see `CallFaults`.
 */
export class ToolCallGuard implements Guard {
  private readonly tools: OfferedTools;
  private readonly faults: CallFaults;
  private current: ToolCallStage | undefined;

  /** @param nextId makes the id of the next call */
  constructor(
    private readonly offer: ToolOffer,
    private readonly nextId: () => string,
  ) {
    this.tools = new OfferedTools(callableTools(offer));
    this.faults = new CallFaults(offer, reaskCorrection);
  }

  /** Only a demanded call: an answer without one is of no use, while with `auto` text may be passed on at once. */
  get holdsBack(): boolean {
    return mustCall(this.offer);
  }

  stage(next: DeltaSink, hooks: GuardHooks): ToolCallStage {
    this.current = new ToolCallStage(next, {
      tools: this.tools,
      isRequired: this.holdsBack,
      isParallel: this.offer.parallel,
      nextId: this.nextId,
      onProblem: (problem) => this.faults.decide(problem, hooks),
      end: hooks.end,
    });
    return this.current;
  }

  details(answer: Answer, mode: LogContent): RequestDetails {
    return toolCallDetails(answer, this.current?.report, mode);
  }
}
