import { type LogContent } from '../../logs/records/log-content.js';
import { type RequestDetails } from '../../logs/records/request-log-entry.js';
import { type Answer } from '../completion/answer.js';
import { type AnswerVerdict, type Guard, type GuardHooks } from '../completion/guard.js';
import { type DeltaSink } from '../completion/stages/stage.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { OfferedTools } from './calls/offered-tools.js';
import { toolCallDetails } from './calls/tool-call-details.js';
import { type ToolCallProblem } from './calls/tool-call-report.js';
import { reaskCorrection } from './contract/reask-prompt.js';
import { type ToolOffer } from './contract/tool-offer.js';
import { ToolCallStage } from './tool-call.stage.js';

/**
 * Finds the tool calls in the answers to one request. A model whose call cannot be read, or that does not call although
 * it has to, is asked once more; then its words are passed on as text, or the request fails if a call was demanded.
 */
export class ToolCallGuard implements Guard {
  private readonly tools: OfferedTools;
  private isCorrected = false;
  private current: ToolCallStage | undefined;

  /** @param nextId makes the id of the next call */
  constructor(
    private readonly offer: ToolOffer,
    private readonly nextId: () => string,
  ) {
    this.tools = new OfferedTools(callableTools(offer));
  }

  /** Only a demanded call: an answer without one is of no use, while with `auto` text may be passed on at once. */
  get holdsBack(): boolean {
    return this.offer.choice !== 'auto';
  }

  stage(next: DeltaSink, hooks: GuardHooks): ToolCallStage {
    this.current = new ToolCallStage(next, {
      tools: this.tools,
      isRequired: this.holdsBack,
      isParallel: this.offer.parallel,
      nextId: this.nextId,
      onProblem: (problem) => this.decide(problem, hooks),
      end: hooks.end,
    });
    return this.current;
  }

  details(answer: Answer, mode: LogContent): RequestDetails {
    return toolCallDetails(answer, this.current?.report, mode);
  }

  private decide(problem: ToolCallProblem, hooks: GuardHooks): AnswerVerdict {
    const fault = { cause: 'tool_call', detail: problem.detail } as const;
    const { text, hasToolCalls } = hooks.settle();
    // An answer that goes on from an earlier one cannot be written anew.
    const isFresh = text === '' && !hasToolCalls;
    if (isFresh && !this.isCorrected) {
      this.isCorrected = true;
      hooks.reject({ ...fault, action: 'ask_again', correction: reaskCorrection(problem, this.offer) });
      return 'stop';
    }
    if (this.holdsBack) {
      hooks.reject({ ...fault, action: 'fail' });
      return 'stop';
    }
    hooks.pass(fault);
    return 'pass';
  }
}

/** With a named choice, only that tool. */
function callableTools({ definitions, choice }: ToolOffer): readonly ToolDefinition[] {
  return typeof choice === 'object'
    ? definitions.filter((tool) => tool.function.name === choice.function.name)
    : definitions;
}
