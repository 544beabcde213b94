import { type ToolCallDelta } from '../../upstream/upstream-driver.js';
import { Answer } from './answer.js';
import { type CompletionOutput } from './output/completion-output.js';
import { type DeltaSink } from './stages/stage.js';

/** Takes what a pipeline lets through, and knows all of it. */
export interface AnswerSink extends DeltaSink {
  readonly answer: Answer;
  /** Whether a status line has gone to the caller. */
  readonly isCommitted: boolean;
}

/**
 * Hands on to the caller's end what the pipelines of one request let through, and remembers it. One request can take
 * several pipelines, if an answer is given up and asked for again.
 *
 * With `isGuarded` an answer may be given up until its first piece of text or call: until then nothing is committed,
 * and reasoning waits. It does so for as long as the output itself does not commit against silence.
 */
export class AnswerWriter implements AnswerSink {
  readonly answer = new Answer();
  private heldReasoning: string[] = [];

  constructor(
    private readonly output: CompletionOutput,
    private readonly isGuarded: boolean,
    private readonly onFirstPiece: () => void,
  ) {}

  get isCommitted(): boolean {
    return this.output.isCommitted;
  }

  /** The upstream has begun to answer. */
  upstreamBegan(): void {
    if (!this.isGuarded) {
      this.output.begin();
    }
  }

  reasoning(text: string): void {
    if (this.isGuarded && !this.output.isCommitted) {
      this.heldReasoning.push(text);
    } else {
      this.releaseReasoning();
      this.passReasoning(text);
    }
  }

  text(text: string): void {
    this.releaseReasoning();
    this.begin();
    this.answer.addText(text);
    this.output.text(text);
  }

  toolCall(delta: ToolCallDelta): void {
    this.releaseReasoning();
    this.begin();
    const index = this.answer.addToolCall(delta);
    // A call that was held back leaves a gap, which callers that collect calls by index would fall into.
    this.output.toolCall(index === delta.index ? delta : { ...delta, index });
  }

  refusal(text: string): void {
    this.releaseReasoning();
    this.begin();
    this.answer.addRefusal(text);
    this.output.refusal(text);
  }

  /** Nothing more comes: what was held goes out. */
  releaseReasoning(): void {
    if (this.heldReasoning.length > 0) {
      const held = this.heldReasoning;
      this.heldReasoning = [];
      held.forEach((text) => this.passReasoning(text));
    }
  }

  /** The answer was given up: what was held is dropped. */
  drop(): void {
    this.heldReasoning = [];
  }

  private passReasoning(text: string): void {
    this.begin();
    this.answer.addReasoning(text);
    this.output.reasoning(text);
  }

  private begin(): void {
    if (this.answer.isEmpty) {
      this.onFirstPiece();
    }
    this.output.begin();
  }
}
