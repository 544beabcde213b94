import {
  type FinishReason,
  type TokenUsage,
  type ToolCallDelta,
  type UpstreamBatch,
} from '../../upstream/upstream-driver.js';
import { type CompletionRequest } from '../interfaces/completion-request.js';
import { Answer } from './answer.js';
import { ReasoningSplitterStage } from './reasoning-splitter.stage.js';
import { type DeltaSink, type Stage } from './stage.js';
import { StopSequenceStage } from './stop-sequence.stage.js';
import { TokenLimitStage } from './token-limit.stage.js';
import { type Tokenizer } from './tokenizer.js';
import { WholeCharactersStage } from './whole-characters.stage.js';

/**
 * From upstream events to the pieces of the answer, in one pass: characters are made whole, reasoning is split off,
 * stop sequences and the token limit end the answer. What is let through goes to the output and is remembered in
 * `answer`. Pure and synchronous; the caller feeds it one batch a read.
 */
export class CompletionPipeline {
  readonly answer = new Answer();
  private reason: FinishReason | undefined;
  private upstreamUsage: TokenUsage | undefined;
  /** First to last; each hands on to the one behind it. */
  private readonly stages: readonly Stage[];
  private readonly head: Stage;

  constructor(request: CompletionRequest, tokenizer: Tokenizer, output: DeltaSink) {
    const end = (reason: FinishReason): void => {
      this.reason ??= reason;
    };
    const { maxTokens, stop: sequences } = request.params;
    const limit = new TokenLimitStage(this.remember(output), maxTokens, tokenizer, end);
    const endAtStop = (): void => {
      // What the limit still holds comes before the stop sequence.
      limit.flush();
      end('stop');
    };
    const stop = sequences.length > 0 ? new StopSequenceStage(limit, sequences, endAtStop) : undefined;
    const reasoning = new ReasoningSplitterStage(stop ?? limit, request.thinking);
    this.head = new WholeCharactersStage(reasoning);
    this.stages = stop ? [this.head, reasoning, stop, limit] : [this.head, reasoning, limit];
  }

  /** Why the answer ended; undefined while it goes on. Nothing is let through once it is set. */
  get finishReason(): FinishReason | undefined {
    return this.reason;
  }

  /** Token counts as the upstream reported them, if it did. */
  get usage(): TokenUsage | undefined {
    return this.upstreamUsage;
  }

  push(batch: UpstreamBatch): void {
    for (const event of batch) {
      if (this.reason !== undefined) {
        return;
      }
      switch (event.type) {
        case 'text':
          this.head.text(event.text);
          break;
        case 'reasoning':
          this.head.reasoning(event.text);
          break;
        case 'toolCall':
          this.head.toolCall(event.delta);
          break;
        case 'usage':
          this.upstreamUsage = event.usage;
          break;
        case 'done':
          this.finish(event.reason);
          break;
        case 'accepted':
          break;
      }
    }
  }

  private finish(upstreamReason: FinishReason): void {
    for (const stage of this.stages) {
      stage.flush();
    }
    // Some servers say "stop" after tool calls; clients act on "tool_calls" only.
    const isToolStop = upstreamReason === 'stop' && this.answer.hasToolCalls;
    this.reason ??= isToolStop ? 'tool_calls' : upstreamReason;
  }

  private remember(output: DeltaSink): DeltaSink {
    const { answer } = this;
    return {
      text(text: string): void {
        answer.addText(text);
        output.text(text);
      },
      reasoning(text: string): void {
        answer.addReasoning(text);
        output.reasoning(text);
      },
      toolCall(delta: ToolCallDelta): void {
        answer.addToolCall(delta);
        output.toolCall(delta);
      },
    };
  }
}
