import { asGatewayError } from '../../common/errors/gateway.errors.js';
import { isStructure } from '../../common/text/json-object.js';
import { type CorrectionRecord, type RequestDetails } from '../../logs/records/request-log-entry.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import { type Answer } from '../completion/answer.js';

/** The gateway's decisions on an upstream's answers: all that a change of code could change, free of time and chance. */
export interface CompletionDecisions {
  readonly outcome: 'ok' | 'failed';
  readonly error?: { readonly code: string; readonly reason: string };
  readonly finishReason?: FinishReason;
  readonly usage?: TokenUsage;
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly toolCalls: readonly {
    readonly name: string;
    readonly arguments: string;
    readonly repairs: readonly string[];
  }[];
  readonly corrections: readonly Omit<CorrectionRecord, 'atMs'>[];
  readonly condensed: readonly {
    readonly message: number;
    readonly rules: readonly string[];
    readonly before: number;
    readonly after: number;
  }[];
  readonly notes: readonly string[];
  /** Outcome of each attempt; whether an answer was given up before or after its last read is a matter of time. */
  readonly attempts: readonly string[];
  /** Digests of the prompts. */
  readonly prompts: readonly string[];
}

/** Outcome of a completion. */
export interface CompletionEnding {
  readonly answer: Answer;
  readonly details: RequestDetails;
  readonly attempts: readonly { readonly outcome: string }[];
  readonly prompts: readonly string[];
  readonly finishReason?: FinishReason | undefined;
  readonly usage?: TokenUsage | undefined;
  /** Undefined if it did not fail. */
  readonly error?: unknown;
}

export function toDecisions(ending: CompletionEnding): CompletionDecisions {
  const { answer, details, attempts, prompts, finishReason, usage, error } = ending;
  const repairs = new Map(details.toolCalls?.map((call) => [call.id, call.repairs]));
  return {
    outcome: finishReason === undefined ? 'failed' : 'ok',
    error: finishReason === undefined ? errorOf(error) : undefined,
    finishReason,
    usage,
    text: answer.text,
    reasoning: answer.reasoning,
    refusal: answer.refusal,
    toolCalls: answer.toolCalls.map(({ id, function: { name, arguments: json } }) => ({
      name,
      arguments: json,
      repairs: repairs.get(id) ?? [],
    })),
    corrections: (details.corrections ?? []).map(({ cause, action, detail }) => ({ cause, action, detail })),
    condensed: (details.condensed ?? []).map(({ message, rules, before, after }) => ({
      message,
      rules,
      before,
      after,
    })),
    notes: details.notes ?? [],
    attempts: attempts.map(({ outcome }) => (outcome === 'cancelled' ? 'ok' : outcome)),
    prompts,
  };
}

/** One thing that two runs decided differently. */
export interface DecisionDifference {
  /** E.g. `toolCalls[0].arguments`. */
  readonly path: string;
  /** Undefined where the run has nothing at this path. */
  readonly then?: unknown;
  readonly now?: unknown;
}

/** All differences, in the order of the decisions. */
export function differences(then: unknown, now: unknown, path = ''): DecisionDifference[] {
  if (isStructure(then) && isStructure(now) && Array.isArray(then) === Array.isArray(now)) {
    const names = [...new Set([...Object.keys(then), ...Object.keys(now)])];
    return names.flatMap((name) => {
      const step = Array.isArray(then) ? `[${name}]` : path === '' ? name : `.${name}`;
      return differences(then[name], now[name], path + step);
    });
  }
  return Object.is(then, now) ? [] : [{ path, then, now }];
}

function errorOf(error: unknown): { readonly code: string; readonly reason: string } {
  const { code, reason } = asGatewayError(error);
  return { code, reason };
}
