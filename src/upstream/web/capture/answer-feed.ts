import { UnavailableError } from '../../upstream.errors.js';
import { type AnswerStream } from './answer-stream.js';
import { type ConversationId } from './conversation-id.js';

/** Characters of records that wait for the id of the conversation: 8 Mi. */
const MAX_HELD = 8 * 1024 * 1024;

interface HeldRecord {
  readonly data: string;
  readonly event: string;
}

/**
 * Brings the records of connections that outlive an answer, and may carry those of other conversations, to the answer:
 * none from before the prompt, and those that come before the id of its conversation once that is known.
 */
export class AnswerFeed {
  private stream: AnswerStream | undefined;
  private held: HeldRecord[] = [];
  private heldLength = 0;
  private recordCount = 0;
  private usedCount = 0;

  /** @param onOwn called after each record that may be of this answer */
  constructor(
    private readonly conversation: ConversationId,
    private readonly onOwn: () => void,
  ) {}

  /** Whether the prompt is out. */
  get hasBegun(): boolean {
    return this.stream !== undefined;
  }

  /** Response in place of an answer, for the message of a failure; undefined before the prompt. */
  get findings(): string | undefined {
    if (this.stream === undefined || this.usedCount > 0) {
      return undefined;
    }
    if (this.recordCount === 0) {
      return 'No record came over the connections that fit capture.request.';
    }
    return this.held.length > 0
      ? `${this.held.length} records came, but no id at the place that capture.answer.conversation names.`
      : `${this.recordCount} records came, of which none fits a rule of capture.answer.`;
  }

  begin(stream: AnswerStream): void {
    this.stream = stream;
  }

  /** Whether the record may be of this answer. Throws the typed error that it stands for. */
  push(data: string, event = 'message'): boolean {
    if (!this.stream) {
      return false;
    }
    this.recordCount++;
    if (this.conversation.isSettled) {
      return this.read(this.stream, { data, event });
    }
    this.heldLength += data.length;
    if (this.heldLength > MAX_HELD) {
      throw new UnavailableError('garbled_answer', 'The site does not say which records are the answer.');
    }
    this.held.push({ data, event });
    return false;
  }

  /** Reads what waited, if the id of the conversation is known by now. */
  release(): void {
    const { stream } = this;
    if (stream && this.conversation.isSettled) {
      const { held } = this;
      this.held = [];
      held.forEach((record) => this.read(stream, record));
    }
  }

  private read(stream: AnswerStream, { data, event }: HeldRecord): boolean {
    const { isOwn, isUsed } = stream.shared(data, event);
    if (isUsed) {
      this.usedCount++;
    }
    if (isOwn) {
      this.onOwn();
    }
    return isOwn;
  }
}
