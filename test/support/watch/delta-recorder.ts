import fc from 'fast-check';
import { Answer } from '../../../src/chat/completion/answer.js';
import { type AnswerSink } from '../../../src/chat/completion/answer-writer.js';
import { type DeltaSink, type Stage } from '../../../src/chat/completion/stages/stage.js';
import { type FinishReason, type ToolCallDelta } from '../../../src/upstream/upstream-driver.js';

export type Piece =
  readonly [kind: 'text' | 'reasoning' | 'refusal', text: string] | readonly ['toolCall', ToolCallDelta];

/** Records the pieces that a stage emits, and the reason if it ends the answer. */
export class DeltaRecorder implements DeltaSink {
  readonly pieces: Piece[] = [];
  readonly reasons: FinishReason[] = [];

  readonly end = (reason: FinishReason): void => {
    this.reasons.push(reason);
  };

  text(text: string): void {
    this.pieces.push(['text', text]);
  }

  reasoning(text: string): void {
    this.pieces.push(['reasoning', text]);
  }

  refusal(text: string): void {
    this.pieces.push(['refusal', text]);
  }

  toolCall(delta: ToolCallDelta): void {
    this.pieces.push(['toolCall', delta]);
  }

  /** All text of one kind. */
  joined(kind: 'text' | 'reasoning' | 'refusal'): string {
    return this.pieces.map(([of, text]) => (of === kind ? text : '')).join('');
  }
}

/** Records the pieces that a pipeline lets through, and the answer that they make. */
export class AnswerRecorder extends DeltaRecorder implements AnswerSink {
  readonly answer = new Answer();
  isCommitted = false;

  override text(text: string): void {
    super.text(text);
    this.answer.addText(text);
  }

  override reasoning(text: string): void {
    super.reasoning(text);
    this.answer.addReasoning(text);
  }

  override refusal(text: string): void {
    super.refusal(text);
    this.answer.addRefusal(text);
  }

  override toolCall(delta: ToolCallDelta): void {
    super.toolCall(delta);
    this.answer.addToolCall(delta);
  }
}

/** Feeds a stage with the pieces of a text as the pipeline does: nothing more once the answer has ended. */
export function feed(stage: Stage, pieces: readonly string[], reasons: readonly FinishReason[] = []): void {
  for (const piece of pieces) {
    if (reasons.length > 0) {
      return;
    }
    stage.text(piece);
  }
  if (reasons.length === 0) {
    stage.flush();
  }
}

/** A text in pieces of some size. */
export function inPieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** A text whole, in pieces of 1 and of 7, and in two pieces at every position. */
export function everyChunking(text: string): string[][] {
  const halves = Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => [
    text.slice(0, index + 1),
    text.slice(index + 1),
  ]);
  return [[text], inPieces(text, 1), inPieces(text, 7), ...halves].filter((pieces) => !pieces.includes(''));
}

/** A text cut in pieces at random. */
export function chunkingOf(text: string): fc.Arbitrary<string[]> {
  return fc.array(fc.nat({ max: text.length }), { maxLength: 12 }).map((cuts) => {
    const ends = [...cuts, text.length].sort((a, b) => a - b);
    return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end)).filter((piece) => piece !== '');
  });
}
