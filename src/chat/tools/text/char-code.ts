/** UTF-16 codes of the characters by which the grammar decides how to read on. */
export const CharCode = {
  lineFeed: 0x0a,
  quote: 0x22,
  parenthesisOpen: 0x28,
  comma: 0x2c,
  semicolon: 0x3b,
  lessThan: 0x3c,
  bracketOpen: 0x5b,
  backslash: 0x5c,
  bracketClose: 0x5d,
  backtick: 0x60,
  braceOpen: 0x7b,
  braceClose: 0x7d,
} as const;
