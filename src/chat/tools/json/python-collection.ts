import { Input, type Parsing } from '../text/input.js';
import { peekDecisive } from '../text/scan.js';

/** A number, a word, or a text that holds no bracket and no colon, by which a dictionary is told. */
const ITEM = String.raw`\s*(?:[-+]?\d[\w.]*|[TtFfNn][a-z]+|'[^'\\\n(){}[\]:]*'|"[^"\\\n(){}[\]:]*")\s*`;

/** A value in brackets, which is no tuple. Group 1: the value. */
const IN_BRACKETS = new RegExp(String.raw`^\((${ITEM})\)`);

/** A tuple, or a set, which has no key. Group 1 or 2: its items. */
const COLLECTION = new RegExp(
  String.raw`^(?:\(((?:${ITEM},)*(?:${ITEM})?\s*)\)|\{(${ITEM}(?:,${ITEM})*,?\s*)\})`,
);

/** A beginning of one of these. */
const PARTIAL = /^[({][^(){}[\]:]*$/;
const MAX_LENGTH = 256;

/**
 * Consumes a tuple or a set of plain values at the cursor.
 * @returns the same as a list; undefined if something else is there
 */
export function* readCollection(input: Input): Parsing<Input | undefined> {
  const text = yield* peekDecisive(input, PARTIAL, MAX_LENGTH);
  const [single, value] = IN_BRACKETS.exec(text) ?? [];
  const [all, ofTuple, ofSet] = single === undefined ? (COLLECTION.exec(text) ?? []) : [single];
  if (all === undefined) {
    return undefined;
  }
  input.at += all.length;
  return Input.whole(value === undefined ? `[${ofTuple ?? ofSet}]` : `${value} `);
}
