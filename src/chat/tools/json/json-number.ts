const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const DIGITS = String.raw`\d+(?:_\d+)*`;

/** A number of Python or JavaScript. Groups 1: the sign, 2: the digits before the point, 3: those behind it, 4: the exponent. */
const FOREIGN_NUMBER = new RegExp(
  String.raw`^([-+]?)(?=\.?\d)(${DIGITS})?(?:\.(${DIGITS})?)?([eE][-+]?\d+)?$`,
);

/**
 * A number as JSON writes it, with the same digits; Python and JavaScript also write `.5`, `5.`, `+5` and `1_000`.
 * @returns undefined if it is none
 */
export function jsonNumber(written: string): string | undefined {
  if (NUMBER.test(written)) {
    return written;
  }
  const match = FOREIGN_NUMBER.exec(written);
  if (!match) {
    return undefined;
  }
  const [, sign, whole = '0', fraction = '0', exponent = ''] = match;
  const point = written.includes('.') ? `.${fraction}` : '';
  const number = `${sign === '-' ? '-' : ''}${whole}${point}${exponent}`.replaceAll('_', '');
  return NUMBER.test(number) ? number : undefined;
}
