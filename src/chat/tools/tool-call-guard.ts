import { type GuardFactory, type GuardHooks } from '../completion/guard.js';
import { type ToolDefinition } from '../interfaces/tool-definition.js';
import { OfferedTools } from './calls/offered-tools.js';
import { type ToolCallProblem, type ToolCallReport } from './calls/tool-call-report.js';
import { reaskCorrection } from './contract/reask-prompt.js';
import { type ToolOffer } from './contract/tool-offer.js';
import { ToolCallStage } from './tool-call.stage.js';

/**
 * Finds the tool calls in the answers to one request. A model whose call cannot be read, or that does not call although
 * it has to, is asked once more; then its words are passed on as text, or the request fails if a call was demanded.
 */
export class ToolCallGuard {
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

  /** Whether an answer without a call is of no use. */
  get isRequired(): boolean {
    return this.offer.choice !== 'auto';
  }

  /** What was found in the last answer. */
  get report(): ToolCallReport {
    return this.current?.report ?? { calls: [], notes: [] };
  }

  readonly stage: GuardFactory = (next, hooks) =>
    (this.current = new ToolCallStage(next, {
      tools: this.tools,
      isRequired: this.isRequired,
      isParallel: this.offer.parallel,
      nextId: this.nextId,
      onProblem: (problem) => this.decide(problem, hooks),
      end: hooks.end,
    }));

  private decide(problem: ToolCallProblem, hooks: GuardHooks): 'reask' | 'text' {
    const fault = { cause: 'tool_call', detail: problem.detail } as const;
    const { text, hasToolCalls } = hooks.settle();
    // An answer that goes on from an earlier one cannot be written anew.
    const isFresh = text === '' && !hasToolCalls;
    if (isFresh && !this.isCorrected) {
      this.isCorrected = true;
      hooks.reject({ ...fault, action: 'ask_again', correction: reaskCorrection(problem, this.offer) });
      return 'reask';
    }
    if (this.isRequired) {
      hooks.reject({ ...fault, action: 'fail' });
      return 'reask';
    }
    hooks.pass(fault);
    return 'text';
  }
}

/** With a named choice, only that tool. */
function callableTools({ definitions, choice }: ToolOffer): readonly ToolDefinition[] {
  return typeof choice === 'object'
    ? definitions.filter((tool) => tool.function.name === choice.function.name)
    : definitions;
}
