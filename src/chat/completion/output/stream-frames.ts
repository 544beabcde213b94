import { type GatewayError } from '../../../common/errors/gateway.errors.js';
import { type FinishReason, type TokenUsage, type ToolCallDelta } from '../../../upstream/upstream-driver.js';
import { type Answer } from '../answer.js';

/**
 * The events of one streamed answer in one wire format. Each method gives what comes next in the stream, or an empty text
 * where the format says nothing.
 */
export interface StreamFrames {
  /** Media type of the stream; by default that of Server-Sent Events. */
  readonly contentType?: string;
  /** Sent first and in every silence; it must mean nothing to the format's clients. */
  heartbeat(): string;
  /** Where the start of an answer says the tokens of its prompt: see `CompletionOutput`. */
  tellPrompt?(count: () => number): void;
  /** Start of the answer. */
  begin(): string;
  text(text: string): string;
  reasoning(text: string): string;
  /** The model's refusal to answer. */
  refusal(text: string): string;
  toolCall(delta: ToolCallDelta): string;
  /** End of the answer, with whatever terminates the stream. */
  end(answer: Answer, reason: FinishReason, usage: TokenUsage): string;
  /** An error after the stream has begun. */
  error(error: GatewayError): string;
}
