import { type Answer } from '../chat/completion/answer.js';
import { addUsage, type ChoicePlace } from '../chat/completion/output/choice-place.js';
import { type StreamFrames } from '../chat/completion/output/stream-frames.js';
import { TEXT_PLACE, TextFrame } from '../chat/completion/output/text-frame.js';
import {
  type CompletionIdentity,
  SYSTEM_FINGERPRINT,
  toUsage,
  type Usage,
} from '../chat/interfaces/chat-completion.js';
import { toErrorEnvelope } from '../common/errors/error-envelope.js';
import { type GatewayError } from '../common/errors/gateway.errors.js';
import { HEARTBEAT, sseData } from '../common/http/answer/event-stream.js';
import { type FinishReason, type TokenUsage } from '../upstream/upstream-driver.js';

/** A completion, and each piece of one that is streamed. */
interface TextCompletion {
  readonly id: string;
  readonly object: 'text_completion';
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string;
  readonly choices: readonly {
    readonly text: string;
    readonly index: number;
    readonly logprobs: null;
    readonly finish_reason: FinishReason | null;
  }[];
  readonly usage?: Usage;
}

/** The whole answer. The format knows text alone: a refusal is text, and reasoning is not told. */
export function toTextCompletion(
  identity: CompletionIdentity,
  place: ChoicePlace,
  { text, refusal }: Answer,
  reason: FinishReason,
  usage: TokenUsage,
): TextCompletion {
  const whole = addUsage(place.usageBefore, usage);
  return { ...piece(identity, place, { text: text + refusal, reason }), usage: toUsage(whole) };
}

/** The pieces of a streamed answer. */
export class TextCompletionFrames implements StreamFrames {
  readonly heartbeat = (): string => HEARTBEAT;
  private readonly textFrame: TextFrame;

  /** @param includeUsage whether the final piece carries `usage` */
  constructor(
    private readonly identity: CompletionIdentity,
    private readonly includeUsage: boolean,
    private readonly place: ChoicePlace,
  ) {
    this.textFrame = new TextFrame(frame(piece(identity, place, { text: TEXT_PLACE, reason: null })));
  }

  begin(): string {
    return '';
  }

  text(text: string): string {
    return this.textFrame.with(text);
  }

  reasoning(): string {
    return '';
  }

  refusal(text: string): string {
    return this.text(text);
  }

  toolCall(): string {
    return '';
  }

  end(_answer: Answer, reason: FinishReason, usage: TokenUsage): string {
    const { isLast, usageBefore } = this.place;
    const end = piece(this.identity, this.place, { text: '', reason });
    const whole = isLast && this.includeUsage && { usage: toUsage(addUsage(usageBefore, usage)) };
    return frame({ ...end, ...whole }) + (isLast ? sseData('[DONE]') : '');
  }

  error(error: GatewayError): string {
    return frame(toErrorEnvelope(error));
  }
}

function piece(
  { id, created, model }: CompletionIdentity,
  { index }: ChoicePlace,
  { text, reason }: { readonly text: string; readonly reason: FinishReason | null },
): TextCompletion {
  return {
    id,
    object: 'text_completion',
    created,
    model,
    system_fingerprint: SYSTEM_FINGERPRINT,
    choices: [{ text, index, logprobs: null, finish_reason: reason }],
  };
}

function frame(data: object): string {
  return sseData(JSON.stringify(data));
}
