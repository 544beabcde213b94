import { type AnswerVerdict, type Correction, type GuardHooks } from '../completion/guard.js';
import { type ToolCallProblem } from './calls/tool-call-report.js';
import { mustCall, type ToolOffer } from './contract/tool-offer.js';

/**
 * Decides on the answers to one request that are of no use for their calls. The model is asked once more; then the
 * answer is passed on as it is, or the request fails if a call was demanded.
 */
export class CallFaults {
  private isCorrected = false;

  constructor(
    private readonly offer: ToolOffer,
    private readonly correction: (problem: ToolCallProblem, offer: ToolOffer) => Correction,
  ) {}

  decide(problem: ToolCallProblem, hooks: GuardHooks): AnswerVerdict {
    const fault = { cause: 'tool_call', detail: problem.detail } as const;
    const { text, hasToolCalls } = hooks.settle();
    // An answer that goes on from an earlier one cannot be written anew.
    const isFresh = text === '' && !hasToolCalls;
    if (isFresh && !this.isCorrected) {
      this.isCorrected = true;
      hooks.reject({ ...fault, action: 'ask_again', correction: this.correction(problem, this.offer) });
      return 'stop';
    }
    if (mustCall(this.offer)) {
      hooks.reject({ ...fault, action: 'fail' });
      return 'stop';
    }
    hooks.pass(fault);
    return 'pass';
  }
}
