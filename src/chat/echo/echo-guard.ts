import {
  type AnswerVerdict,
  type Correction,
  type Guard,
  type GuardHooks,
  type Rejection,
} from '../completion/guard.js';
import { type DeltaSink } from '../completion/stages/stage.js';
import { echoCorrection } from './correction.js';
import { EchoStage } from './echo.stage.js';
import { type EchoMemory } from './echo-memory.js';
import { echoAction, type EchoSituation } from './echo-policy.js';
import { type IndexedResult } from './match/echo-index.js';
import { type EchoMatch } from './match/echo-run.js';

/** Results to guard, and the circumstances that decide about an echo, of one request. */
export interface EchoGuardOptions extends Pick<EchoSituation, 'setting' | 'isRetryingClient'> {
  readonly results: readonly IndexedResult[];
  readonly memory: EchoMemory;
  /** See `requestDigest`. It hashes the whole body, so it is called only when needed. */
  readonly requestDigest: () => string;
}

/** Stops answers that repeat a tool result, and has the next one corrected. */
export class EchoGuard implements Guard {
  readonly holdsBack = true;
  /** Corrected tries of the request so far, in this one and in those that it repeats. */
  corrections: number;

  constructor(private readonly options: EchoGuardOptions) {
    const { memory, requestDigest } = options;
    this.corrections = memory.isEmpty ? 0 : memory.corrections(requestDigest());
  }

  /** Set for a request that comes back after its last answer was dropped. */
  get firstCorrection(): Correction | undefined {
    return this.corrections > 0 ? { instruction: echoCorrection() } : undefined;
  }

  /** To be called when the caller has its answer: the same request starts without corrections. */
  answered(): void {
    if (this.corrections > 0) {
      this.options.memory.forget(this.options.requestDigest());
    }
  }

  stage(next: DeltaSink, hooks: GuardHooks): EchoStage {
    return new EchoStage(next, this.options.results, (match) => this.decide(match, hooks));
  }

  private decide({ matchedChars, resultChars, message }: EchoMatch, hooks: GuardHooks): AnswerVerdict {
    const fault = {
      cause: 'echo',
      detail: `The answer repeated ${matchedChars} of ${resultChars} characters of the tool result messages[${message}].`,
    } as const;
    const answer = hooks.settle();
    // Tool calls that have reached the caller cannot be repeated, and are a complete answer without the text behind
    // them.
    if (answer.hasToolCalls) {
      hooks.pass(fault);
      hooks.end('tool_calls');
      return 'stop';
    }
    const { setting, isRetryingClient, memory, requestDigest } = this.options;
    const { corrections } = this;
    const action = echoAction({ setting, isCommitted: hooks.isCommitted(), isRetryingClient, corrections });
    if (action === 'pass') {
      hooks.pass(fault);
      return 'pass';
    }
    this.corrections += 1;
    let rejection: Rejection = { ...fault, action: 'drop' };
    if (action === 'drop') {
      memory.remember(requestDigest(), this.corrections);
    } else {
      const { text } = answer;
      const correction =
        text === ''
          ? { instruction: echoCorrection() }
          : { instruction: echoCorrection(true), rejected: text };
      rejection = { ...fault, action: 'ask_again', correction };
    }
    hooks.reject(rejection);
    return 'stop';
  }
}
