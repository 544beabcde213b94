import { type Input, type Parsing } from '../text/input.js';
import { cutOff, malformed } from '../text/parse-errors.js';
import { peekText, readRun } from '../text/scan.js';

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

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const DIGITS = String.raw`\d+(?:_\d+)*`;

/** A number of Python or JavaScript. Groups 1: the sign, 2: the digits before the point, 3: those behind it, 4: the exponent. */
const FOREIGN_NUMBER = new RegExp(
  String.raw`^([-+]?)(?=\.?\d)(${DIGITS})?(?:\.(${DIGITS})?)?([eE][-+]?\d+)?$`,
);

/** A number of another base. Groups 1: the sign, 2: the rest. */
const OTHER_BASE = /^([-+]?)(0(?:[xX][\da-fA-F]+|[oO][0-7]+|[bB][01]+))$/;

/** Zeros in front of a number that is the same in every base. */
const LEADING_ZEROS = /^0+(?=\d$)/;

/**
 * A number as JSON writes it, with the same digits; Python and JavaScript also write `.5`, `5.`, `+5`, `1_000`, `0x1f` and
 * `07`. Of `0644` it is not known whether it is octal.
 * @returns undefined if it is none
 */
function jsonNumber(written: string): string | undefined {
  if (NUMBER.test(written)) {
    return written;
  }
  const other = OTHER_BASE.exec(written);
  if (other) {
    return `${other[1] === '-' ? '-' : ''}${BigInt(other[2]!)}`;
  }
  const match = FOREIGN_NUMBER.exec(written);
  if (!match) {
    return undefined;
  }
  const [, sign, whole = '0', fraction = '0', exponent = ''] = match;
  const point = written.includes('.') ? `.${fraction}` : '';
  const number =
    `${sign === '-' ? '-' : ''}${whole.replace(LEADING_ZEROS, '')}${point}${exponent}`.replaceAll('_', '');
  return NUMBER.test(number) ? number : undefined;
}
