import { quantity, withGaps } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';

/** Lines up to which a dump stays whole, and lines that are kept of a longer one. */
const MAX_WHOLE = 256;
const HEAD = 64;
const TAIL = 8;

/** Share of the lines that must be of the dump; others are its `*` for repetition. */
const MIN_SHARE = 0.9;

/** Least bytes in a line: rows of numbers count up by one. */
const MIN_STEP = 8;

/** `00000010: 0200 3e00 …`, `00000010  02 00 3e 00 …`, `0000020 177105 043114 …`: an offset, and groups of digits. */
const DUMPED =
  /^[0-9a-f]{6,16}(?::? {1,8}|: ?)(?:(?:[0-9a-f]{2}|[0-9a-f]{4}|[0-7]{3}|[0-7]{6})[ -]{1,3}){4}/i;

/** Bytes printed as numbers (`xxd`, `hexdump`, `od`): the beginning and the end, with their offsets. */
export const hexDumpStrategy: Strategy = {
  rule: 'hex_dump',
  condense: (text) => {
    if (!mayBe(text, MIN_SHARE, (line) => DUMPED.test(line))) {
      return undefined;
    }
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const [first = 0, second = 0] = lines.slice(0, 2).map((line) => Number.parseInt(line, 16));
    if (second - first < MIN_STEP) {
      return undefined;
    }
    if (lines.length <= MAX_WHOLE) {
      // Nothing else is to be looked for in bytes.
      return text;
    }
    const kept = [...lines.keys()].filter((line) => line < HEAD || line >= lines.length - TAIL);
    const shown = withGaps(lines.length, kept, (line) => lines[line] ?? '', 'lines');
    return [`[${quantity(lines.length, 'lines')} of a dump in all]`, ...shown].join('\n');
  },
};
