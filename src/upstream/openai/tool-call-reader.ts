import { isStructure } from '../../common/text/json-object.js';
import { UnavailableError } from '../upstream.errors.js';
import { type ToolCallDelta } from '../upstream-driver.js';
import { OpenCall } from './open-call.js';

/** Calls of one answer: many times what a model makes in the longest one. */
export const MAX_CALLS = 10_000;

interface CallPiece {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
}

/**
 * Brings native tool calls to one form: `id` and `name` with the first piece of a call only (a name that comes late,
 * with its own), calls numbered from 0 in the order they begin. Servers leave `index` and `id` out, give every call the
 * same index or every piece an id of its own, or repeat names and ids.
 */
export class ToolCallReader {
  /** Calls by the upstream's index, which a later call may reuse. */
  private readonly open = new Map<number, OpenCall>();
  private count = 0;
  private lastKey = 0;

  /**
   * The delta of one piece; undefined for a value that is no tool call, or that adds nothing to one.
   * @param position of the piece in its chunk
   * @throws UnavailableError above `MAX_CALLS`
   */
  read(call: unknown, position = 0): ToolCallDelta | undefined {
    if (!isStructure(call)) {
      return undefined;
    }
    const piece = pieceOf(call);
    // Servers that give every piece an id of its own send one piece a chunk.
    const isBesideAnother = position > 0 && !Number.isInteger(call.index);
    this.lastKey = this.keyOf(call.index);
    const known = this.open.get(this.lastKey);
    const isNew = known && (beginsAnew(known, piece) || (isBesideAnother && isOther(known, piece)));
    return this.add(this.lastKey, isNew ? undefined : known, piece);
  }

  /**
   * The delta of a call in a message so far, which is repeated with each piece; undefined if there is nothing new.
   * @param position of the call in the message
   * @throws UnavailableError above `MAX_CALLS`
   */
  readSnapshot(call: unknown, position: number): ToolCallDelta | undefined {
    if (!isStructure(call)) {
      return undefined;
    }
    const known = this.open.get(position);
    const { id, name, text } = pieceOf(call);
    const added = text.slice(known?.length ?? 0);
    const isNews = !known || added !== '' || (known.name === undefined && name !== undefined);
    return isNews ? this.add(position, known, { id, name, text: added }) : undefined;
  }

  /** @param known the call that the piece continues; undefined if it begins one */
  private add(
    key: number,
    known: OpenCall | undefined,
    { id, name, text }: CallPiece,
  ): ToolCallDelta | undefined {
    if (!known) {
      // Nameless or empty ones take no tokens, so that the limit of the answer may never be reached.
      if (this.count === MAX_CALLS) {
        throw new UnavailableError('answer_endless', 'The upstream sent endless tool calls.');
      }
      const begun = { index: this.count++, id, name, arguments: text };
      this.open.set(key, new OpenCall(begun));
      return begun;
    }
    known.append(text);
    if (known.name !== undefined || name === undefined) {
      return text === '' ? undefined : { index: known.index, arguments: text };
    }
    known.name = name;
    return { index: known.index, name, arguments: text };
  }

  private keyOf(index: unknown): number {
    return typeof index === 'number' && Number.isInteger(index) ? index : this.lastKey;
  }
}

/** Whether a piece at the place of a known call begins another one. */
function beginsAnew(known: OpenCall, { id, name, text }: CallPiece): boolean {
  if (name === undefined) {
    return id !== undefined && known.id !== undefined && id !== known.id && known.isWhole();
  }
  if (id === undefined ? name === known.name && text === '' : id === known.id) {
    return false;
  }
  return (known.name !== undefined && name !== known.name) || known.isWhole();
}

/** Whether a named piece has another id than a known call. */
function isOther(known: OpenCall, { id, name }: CallPiece): boolean {
  return name !== undefined && id !== undefined && known.id !== undefined && id !== known.id;
}

function pieceOf(call: Readonly<Record<string, unknown>>): CallPiece {
  const made = isStructure(call.function) ? call.function : {};
  return { id: nonEmpty(call.id), name: nonEmpty(made.name), text: argumentsText(made.arguments) };
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Some servers send the arguments as an object. */
function argumentsText(value: unknown): string {
  return typeof value === 'string' ? value : isStructure(value) ? JSON.stringify(value) : '';
}
