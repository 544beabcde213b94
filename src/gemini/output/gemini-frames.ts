import { type Answer } from '../../chat/completion/answer.js';
import { type StreamFrames } from '../../chat/completion/output/stream-frames.js';
import { TEXT_PLACE, TextFrame } from '../../chat/completion/output/text-frame.js';
import { type GatewayError } from '../../common/errors/gateway.errors.js';
import { sseData } from '../../common/http/answer/event-stream.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import { GEMINI_ERRORS } from '../gemini-errors.js';
import { type GeminiAnswer, thoughtPart } from './gemini-answer.js';

/** A streamed answer as Server-Sent Events. */
export class GeminiFrames implements StreamFrames {
  /** An empty line: clients take a comment for the beginning of an error. */
  readonly heartbeat: string = '\n';
  private readonly textFrame: TextFrame;
  private readonly thoughtFrame: TextFrame;

  constructor(private readonly answer: GeminiAnswer) {
    this.textFrame = new TextFrame(this.frame(answer.piece({ text: TEXT_PLACE })));
    this.thoughtFrame = new TextFrame(this.frame(answer.piece(thoughtPart(TEXT_PLACE))));
  }

  begin(): string {
    return '';
  }

  text(text: string): string {
    return this.textFrame.with(text);
  }

  reasoning(text: string): string {
    return this.answer.includesThoughts ? this.thoughtFrame.with(text) : '';
  }

  /** A text as any other; that it refuses is said at its end. */
  refusal(text: string): string {
    return this.text(text);
  }

  /** A call comes in one piece, at the end. */
  toolCall(): string {
    return '';
  }

  end(answer: Answer, reason: FinishReason, usage: TokenUsage): string {
    return this.frame(this.answer.end(answer, reason, usage));
  }

  /** Not as an event, which clients would take for a chunk without a candidate. */
  error(error: GatewayError): string {
    return `${JSON.stringify(GEMINI_ERRORS.body(error, ''))}\n\n`;
  }

  protected frame(chunk: object): string {
    return sseData(JSON.stringify(chunk));
  }
}

/** The same as one JSON array, which the API streams by default. */
export class GeminiArrayFrames extends GeminiFrames {
  readonly contentType = 'application/json; charset=utf-8';
  private separator = '[';

  override text(text: string): string {
    return this.separated(super.text(text));
  }

  override reasoning(text: string): string {
    return this.separated(super.reasoning(text));
  }

  override end(answer: Answer, reason: FinishReason, usage: TokenUsage): string {
    return `${this.separated(super.end(answer, reason, usage))}]`;
  }

  override error(error: GatewayError): string {
    return `${this.separated(super.error(error))}]`;
  }

  protected override frame(chunk: object): string {
    return `${JSON.stringify(chunk)}\n`;
  }

  private separated(element: string): string {
    if (element === '') {
      return '';
    }
    const separator = this.separator;
    this.separator = ',';
    return separator + element;
  }
}
