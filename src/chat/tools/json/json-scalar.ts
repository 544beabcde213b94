import { type Input, type Parsing } from '../text/input.js';
import { cutOff, malformed } from '../text/parse-errors.js';
import { peekText, readRun } from '../text/scan.js';
import { jsonNumber } from './json-number.js';

const NUMBER_START = /[-+.\d]/;
const NUMBER_RUN = /[-+.\w]*/y;
const WORD_RUN = /[\w$-]*/y;

/** The literals of JSON and of Python, as JSON. */
const LITERALS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['undefined', 'null'],
  ['TRUE', 'true'],
  ['FALSE', 'false'],
  ['NULL', 'null'],
  ['Null', 'null'],
]);

/** Whether a word is one of those. */
export function isLiteral(word: string): boolean {
  return LITERALS.has(word);
}

/** A number or a word of an answer. */
export interface Scalar {
  readonly written: string;
  /** Undefined for a word that is no literal. */
  readonly json: string | undefined;
}

/**
 * Reads the number or the word at the cursor. A number is complete only if something follows it.
 * @param repair receives the name of each repair
 */
export function* readScalar(input: Input, repair: (name: string) => void): Parsing<Scalar> {
  if (NUMBER_START.test(yield* peekText(input, 1))) {
    return yield* readNumber(input, repair);
  }
  const written = yield* readRun(input, WORD_RUN);
  const json = LITERALS.get(written);
  if (json !== undefined && json !== written) {
    repair('python_literal');
  }
  return { written, json };
}

function* readNumber(input: Input, repair: (name: string) => void): Parsing<Scalar> {
  const written = yield* readRun(input, NUMBER_RUN);
  if (input.at === input.text.length) {
    throw cutOff('inside a number');
  }
  const json = jsonNumber(written);
  if (json === undefined) {
    throw malformed(`The JSON has ${written}, which is no number.`);
  }
  if (json !== written) {
    repair('foreign_number');
  }
  return { written, json };
}
