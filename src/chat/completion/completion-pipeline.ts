import {
  type FinishReason,
  type TokenUsage,
  type UpstreamBatch,
  type UpstreamEvent,
} from '../../upstream/upstream-driver.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { type Answer } from './answer.js';
import { type AnswerSink } from './answer-writer.js';
import { type Fault, type Guard, type GuardHooks, type Rejection } from './guard.js';
import { ReasoningSplitterStage } from './stages/reasoning-splitter.stage.js';
import { type EndAnswer, type Stage } from './stages/stage.js';
import { StopSequenceStage } from './stages/stop-sequence.stage.js';
import { TokenLimitStage } from './stages/token-limit.stage.js';
import { WholeCharactersStage } from './stages/whole-characters.stage.js';
import { WithoutReasoningStage } from './stages/without-reasoning.stage.js';
import { type Tokenizer } from './tokens/tokenizer.js';

/**
 * Most characters that a model may generate for one answer, several times those of the longest one, unless it may have more
 * tokens than that. A guard may wait for the rest of what it holds, or leave it out, and no limit behind it ever sees that.
 */
export const MAX_GENERATED_CHARS = 16 * 2 ** 20;
/** Several times those of prose, which has about four. */
const CHARS_PER_TOKEN = 16;

/**
 * From upstream events to the pieces of the answer, in one pass: characters are made whole, reasoning is split off,
 * the guards of the request find calls and echoes, stop sequences and the token limit end the answer. What is let
 * through goes to the sink. Pure and synchronous; the caller feeds it one batch a read.
 */
export class CompletionPipeline {
  private reason: FinishReason | undefined;
  private rejected: Rejection | undefined;
  private readonly passedFaults: Fault[] = [];
  private upstreamUsage: TokenUsage | undefined;
  /** Whether the model has generated all that it may, as counted before the guards. */
  private isSpent = false;
  /** Characters that came from upstream, and the most that may. */
  private generated = 0;
  private readonly maxGenerated: number;
  /** First to last; each hands on to the one behind it. */
  private readonly stages: readonly Stage[];
  private readonly head: Stage;

  /** @param guards first to last */
  constructor(
    request: CompletionRequest,
    tokenizer: Tokenizer,
    private readonly sink: AnswerSink,
    guards: readonly Pick<Guard, 'stage' | 'holdsBack'>[],
  ) {
    const end = (reason: FinishReason): void => {
      this.reason ??= reason;
    };
    const { maxTokens, stop: sequences } = request.params;
    this.maxGenerated = Math.max(MAX_GENERATED_CHARS, maxTokens * CHARS_PER_TOKEN);
    const limit = new TokenLimitStage(sink, maxTokens, tokenizer, end);
    const endAtStop = (sequence: string): void => {
      // What the limit still holds comes before the stop sequence.
      limit.flush();
      end(this.reasonOf('stop'));
      if (this.reason === 'stop') {
        this.answer.stopSequence = sequence;
      }
    };
    const stages: Stage[] = [limit];
    const prepend = (stage: Stage): Stage => {
      stages.unshift(stage);
      return stage;
    };
    let first: Stage = limit;
    if (sequences.length > 0) {
      first = prepend(new StopSequenceStage(first, sequences, endAtStop));
    }
    const hooks = this.hooks(end, [...stages]);
    if (!request.thinking) {
      first = prepend(new WithoutReasoningStage(first));
    }
    for (const guard of guards.toReversed()) {
      first = prepend(guard.stage(first, hooks));
    }
    const guarded = first;
    if (guards.some(({ holdsBack }) => holdsBack)) {
      // What a guard holds back never reaches the limit behind it: prose without end where a value is due.
      first = prepend(new TokenLimitStage(first, maxTokens, tokenizer, () => (this.isSpent = true)));
    }
    // Reasoning that is dropped is not counted either.
    first = prepend(new ReasoningSplitterStage(first, request.thinking ? first : guarded));
    this.head = prepend(new WholeCharactersStage(first));
    this.stages = stages;
  }

  get answer(): Answer {
    return this.sink.answer;
  }

  /** Why the answer ended; undefined while it goes on. Nothing is let through once it is set. */
  get finishReason(): FinishReason | undefined {
    return this.reason;
  }

  /** Whether the upstream ended the answer without saying why. */
  isReasonAssumed = false;

  /** Token counts as the upstream reported them, if it did. */
  get usage(): TokenUsage | undefined {
    return this.upstreamUsage;
  }

  /** Why the answer was given up, if it was. */
  get rejection(): Rejection | undefined {
    return this.rejected;
  }

  /** Faults that were let through. */
  get faults(): readonly Fault[] {
    return this.passedFaults;
  }

  /** Nothing that follows counts. */
  get isOver(): boolean {
    return this.reason !== undefined || this.rejected !== undefined;
  }

  push(batch: UpstreamBatch): void {
    for (const event of batch) {
      if (this.isOver) {
        return;
      }
      switch (event.type) {
        case 'text':
          this.head.text(event.text);
          break;
        case 'reasoning':
          this.head.reasoning(event.text);
          break;
        case 'refusal':
          this.head.refusal(event.text);
          break;
        case 'toolCall':
          this.head.toolCall(event.delta);
          break;
        case 'usage':
          this.upstreamUsage = event.usage;
          break;
        case 'done':
          this.isReasonAssumed = event.isAssumed === true;
          this.finish(event.reason);
          break;
        case 'accepted':
          break;
      }
      this.generated += charsOf(event);
      if ((this.isSpent || this.generated > this.maxGenerated) && !this.isOver) {
        this.finish('length');
      }
    }
  }

  /** @param limits the stages behind the guards */
  private hooks(end: EndAnswer, limits: readonly Stage[]): GuardHooks {
    return {
      isCommitted: () => this.sink.isCommitted,
      end,
      reject: (rejection) => {
        // An answer that has ended by a limit is complete.
        if (this.reason === undefined) {
          this.rejected ??= rejection;
        }
      },
      pass: (fault) => {
        this.passedFaults.push(fault);
      },
      noteDroppedCalls: () => {
        this.answer.hasDroppedCalls = true;
      },
      settle: () => {
        limits.forEach((stage) => stage.flush());
        return this.answer;
      },
    };
  }

  private finish(upstreamReason: FinishReason): void {
    for (const stage of this.stages) {
      stage.flush(upstreamReason);
      if (this.rejected !== undefined) {
        return;
      }
    }
    // What a filter cut off is not to be taken for a whole answer, nor for one that a higher limit would complete.
    this.reason =
      upstreamReason === 'content_filter' ? upstreamReason : (this.reason ?? this.reasonOf(upstreamReason));
  }

  /** Some servers say "stop" after tool calls, or promise calls that do not come; clients act on the word. */
  private reasonOf(upstreamReason: FinishReason): FinishReason {
    if (upstreamReason === 'length') {
      return 'length';
    }
    return this.answer.hasToolCalls ? 'tool_calls' : 'stop';
  }
}

function charsOf(event: UpstreamEvent): number {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return event.text.length;
    case 'toolCall':
      return event.delta.arguments.length;
    case 'accepted':
    case 'usage':
    case 'done':
      return 0;
  }
}
