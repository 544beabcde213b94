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
export function jsonNumber(written: string): string | undefined {
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
