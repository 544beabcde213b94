import { type Answer } from '../../chat/completion/answer.js';
import { type StreamFrames } from '../../chat/completion/output/stream-frames.js';
import { TEXT_PLACE, TextFrame } from '../../chat/completion/output/text-frame.js';
import { type GatewayError } from '../../common/errors/gateway.errors.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import { OLLAMA_ERRORS } from '../ollama-errors.js';
import { type OllamaAnswer, toOllamaCall } from './ollama-answer.js';

/** A streamed answer, a JSON text a line. */
export class OllamaLines implements StreamFrames {
  readonly contentType = 'application/x-ndjson';
  /** A blank before a JSON text, since clients read each line as JSON, an empty one as well. */
  readonly heartbeat = (): string => ' ';
  private readonly textFrame: TextFrame;
  private readonly thinkingFrame: TextFrame;

  constructor(private readonly answer: OllamaAnswer) {
    this.textFrame = new TextFrame(line(answer.piece({ content: TEXT_PLACE })));
    this.thinkingFrame = new TextFrame(line(answer.piece({ content: '', thinking: TEXT_PLACE })));
  }

  begin(): string {
    this.answer.begin();
    return '';
  }

  text(text: string): string {
    return this.textFrame.with(text);
  }

  reasoning(text: string): string {
    return this.thinkingFrame.with(text);
  }

  /** The format has no other place for it. */
  refusal(text: string): string {
    return this.text(text);
  }

  /** A call comes in one piece, at the end. */
  toolCall(): string {
    return '';
  }

  end({ toolCalls }: Answer, reason: FinishReason, usage: TokenUsage): string {
    const calls =
      toolCalls.length === 0
        ? ''
        : line(this.answer.piece({ content: '', tool_calls: toolCalls.map(toOllamaCall) }));
    return calls + line(this.answer.end(reason, usage));
  }

  error(error: GatewayError): string {
    return line(OLLAMA_ERRORS.body(error, ''));
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
