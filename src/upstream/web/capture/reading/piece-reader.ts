import { AppendDelta, type TextDelta } from '../../../decoding/snapshot-delta.js';
import { type UpstreamEvent } from '../../../upstream-driver.js';
import { type AnswerRules, type NetworkRules, type PieceRule } from '../../recipe/capture-rules.js';
import { compileConditions, type Predicate, type Recall } from '../../recipe/condition.js';
import { compileJsonPath, type JsonPath } from '../../recipe/json-path.js';
import { FirmDelta } from './firm-delta.js';
import { MixedDelta } from './mixed-delta.js';

type PieceType = 'text' | 'reasoning';
type DeltaOf = (delivery: NetworkRules['delivery']) => TextDelta;

interface Piece {
  readonly type: PieceType;
  readonly event: string | undefined;
  readonly each: JsonPath | undefined;
  readonly fits: Predicate;
  readonly read: JsonPath;
  readonly delta: TextDelta;
}

/** Finds the text and the reasoning in the records of one answer. */
export class PieceReader {
  private readonly pieces: readonly Piece[];

  constructor(answer: AnswerRules, delivery: NetworkRules['delivery'], recall: Recall) {
    const compile = (type: PieceType, rules: readonly PieceRule[]): Piece[] => {
      const deltaOf = deltas(rules, delivery);
      return rules.map((rule) => ({
        type,
        event: rule.event,
        each: rule.each === undefined ? undefined : compileJsonPath(rule.each),
        fits: compileConditions(rule.when, recall),
        read: compileJsonPath(rule.path),
        delta: deltaOf(rule.delivery ?? delivery),
      }));
    };
    this.pieces = [...compile('text', answer.content), ...compile('reasoning', answer.reasoning)];
  }

  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  read(record: unknown, event: string): UpstreamEvent[] {
    const events: UpstreamEvent[] = [];
    for (const piece of this.pieces) {
      if (piece.event !== undefined && piece.event !== event) {
        continue;
      }
      for (const part of piece.each ? listOf(piece.each(record)) : [record]) {
        const text = piece.fits(part) ? piece.read(part) : undefined;
        if (typeof text === 'string') {
          events.push(...pieceEvent(piece.type, piece.delta.push(text)));
        }
      }
    }
    return events;
  }

  /** The texts that were held back. */
  end(): UpstreamEvent[] {
    return this.pieces.flatMap(({ type, delta }) => pieceEvent(type, delta.end()));
  }
}

export function pieceEvent(type: PieceType, text: string): UpstreamEvent[] {
  return text === '' ? [] : [{ type, text }];
}

/** One text for all rules of a type; it takes both kinds of rules only where the recipe has both. */
function deltas(rules: readonly PieceRule[], delivery: NetworkRules['delivery']): DeltaOf {
  const kinds = new Set(rules.map((rule) => rule.delivery ?? delivery));
  if (kinds.size > 1) {
    const mixed = new MixedDelta();
    return (kind) => mixed[kind];
  }
  const delta = kinds.has('snapshot') ? new FirmDelta() : new AppendDelta();
  return () => delta;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
