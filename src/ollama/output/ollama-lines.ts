import { type Answer } from '../../chat/completion/answer.js';
import { type StreamFrames } from '../../chat/completion/output/stream-frames.js';
import { type GatewayError } from '../../common/errors/gateway.errors.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import { OLLAMA_ERRORS } from '../ollama-errors.js';
import { type OllamaAnswer, toOllamaCall } from './ollama-answer.js';

/**
 * A streamed answer, a JSON text a line. What is around a piece of text is serialised once, so that each costs one
 * `JSON.stringify` of its text.
 */
export class OllamaLines implements StreamFrames {
  readonly contentType = 'application/x-ndjson';
  /** A blank before a JSON text, since clients read each line as JSON, an empty one as well. */
  readonly heartbeat = ' ';
  private readonly textFrame: LineFrame;
  private readonly thinkingFrame: LineFrame;

  constructor(private readonly answer: OllamaAnswer) {
    this.textFrame = new LineFrame(answer.piece({ content: MARK }));
    this.thinkingFrame = new LineFrame(answer.piece({ content: '', thinking: MARK }));
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

/** Escaped in any JSON text, so that it stands nowhere but where it was put. */
const MARK = '\0';
const MARK_AS_JSON = JSON.stringify(MARK);

/** A line with a text in it. */
class LineFrame {
  private readonly head: string;
  private readonly tail: string;

  constructor(marked: object) {
    const [head = '', tail = ''] = line(marked).split(MARK_AS_JSON);
    this.head = head;
    this.tail = tail;
  }

  with(text: string): string {
    return this.head + JSON.stringify(text) + this.tail;
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
