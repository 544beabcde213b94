import { type Answer } from '../../chat/completion/answer.js';
import { type StreamFrames } from '../../chat/completion/output/stream-frames.js';
import { TEXT_PLACE, TextFrame } from '../../chat/completion/output/text-frame.js';
import { type GatewayError } from '../../common/errors/gateway.errors.js';
import { type FinishReason, type TokenUsage } from '../../upstream/upstream-driver.js';
import { GEMINI_ERRORS } from '../gemini-errors.js';
import { type GeminiAnswer, thoughtPart } from './gemini-answer.js';

/** Start of an event. */
const OPENING = 'data: ';

/** A streamed answer as Server-Sent Events. */
export class GeminiFrames implements StreamFrames {
  private readonly textFrame: TextFrame;
  private readonly thoughtFrame: TextFrame;
  /** Whether the next event has been opened by a heartbeat. */
  private isOpen = false;

  constructor(private readonly answer: GeminiAnswer) {
    this.textFrame = new TextFrame(frame(answer.piece({ text: TEXT_PLACE })));
    this.thoughtFrame = new TextFrame(frame(answer.piece(thoughtPart(TEXT_PLACE))));
  }

  /** Opens the next event, then blanks before its JSON text: some clients read neither comments nor empty lines. */
  heartbeat(): string {
    const blanks = this.isOpen ? ' ' : OPENING;
    this.isOpen = true;
    return blanks;
  }

  begin(): string {
    return '';
  }

  text(text: string): string {
    return this.next(this.textFrame.with(text));
  }

  reasoning(text: string): string {
    return this.answer.includesThoughts ? this.next(this.thoughtFrame.with(text)) : '';
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
    return this.next(frame(this.answer.end(answer, reason, usage)));
  }

  /** Not within an event, which clients would take for a chunk without a candidate. */
  error(error: GatewayError): string {
    return `${this.isOpen ? '\n' : ''}${JSON.stringify(GEMINI_ERRORS.body(error, ''))}\n\n`;
  }

  protected next(chunk: string): string {
    const opening = this.isOpen ? '' : OPENING;
    this.isOpen = false;
    return opening + chunk;
  }
}

/** The same as one JSON array, which the API streams by default. */
export class GeminiArrayFrames extends GeminiFrames {
  readonly contentType = 'application/json; charset=utf-8';
  private separator = '[';

  override heartbeat(): string {
    return '\n';
  }

  override end(answer: Answer, reason: FinishReason, usage: TokenUsage): string {
    return `${super.end(answer, reason, usage)}]`;
  }

  override error(error: GatewayError): string {
    return `${this.next(super.error(error))}]`;
  }

  protected override next(chunk: string): string {
    const separator = this.separator;
    this.separator = ',';
    return separator + chunk;
  }
}

function frame(chunk: object): string {
  return `${JSON.stringify(chunk)}\n\n`;
}
