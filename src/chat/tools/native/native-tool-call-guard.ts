import { type LogContent } from '../../../logs/records/log-content.js';
import { type RequestDetails } from '../../../logs/records/request-log-entry.js';
import { type Answer } from '../../completion/answer.js';
import { type Guard, type GuardHooks } from '../../completion/guard.js';
import { type DeltaSink } from '../../completion/stages/stage.js';
import { CallFaults } from '../call-faults.js';
import { OfferedTools } from '../calls/offered-tools.js';
import { toolCallDetails } from '../calls/tool-call-details.js';
import { nativeReaskCorrection } from '../contract/reask-prompt.js';
import { callableTools, mustCall, type ToolOffer } from '../contract/tool-offer.js';
import { NativeToolCallStage } from './native-tool-call.stage.js';

/**
 * Checks the tool calls in the answers to one request, where the upstream makes them itself. A model that breaks
 * `tool_choice`, or answers nothing, is asked once more: see `CallFaults`.
 */
export class NativeToolCallGuard implements Guard {
  private readonly tools: OfferedTools;
  private readonly faults: CallFaults;
  private current: NativeToolCallStage | undefined;

  /** @param nextId makes the id of a call to which the upstream gave none */
  constructor(
    private readonly offer: ToolOffer,
    private readonly nextId: () => string,
  ) {
    this.tools = new OfferedTools(callableTools(offer));
    this.faults = new CallFaults(offer, nativeReaskCorrection);
  }

  /** Only a demanded call: an answer without one is of no use, while with `auto` everything is passed on at once. */
  get holdsBack(): boolean {
    return mustCall(this.offer);
  }

  stage(next: DeltaSink, hooks: GuardHooks): NativeToolCallStage {
    this.current = new NativeToolCallStage(next, {
      tools: this.tools,
      calling: this.holdsBack ? 'required' : this.offer.choice === 'none' ? 'forbidden' : 'optional',
      isParallel: this.offer.parallel,
      nextId: this.nextId,
      onProblem: (problem) => this.faults.decide(problem, hooks),
      onDropped: hooks.noteDroppedCalls,
      end: hooks.end,
    });
    return this.current;
  }

  details(answer: Answer, mode: LogContent): RequestDetails {
    return toolCallDetails(answer, this.current?.report, mode);
  }
}
