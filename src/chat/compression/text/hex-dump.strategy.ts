import { filledLines } from '../kit/filled-lines.js';
import { quantity, withGaps } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';

/** Lines up to which a dump stays whole, and lines that are kept of a longer one. */
const MAX_WHOLE = 256;
const HEAD = 64;
const TAIL = 8;

/** Share of the lines that must be of the dump; others are its `*` for repetition, headings and errors. */
const MIN_SHARE = 0.9;

/** Bytes in a line, and the share of the lines that must have so many: rows of numbers count up otherwise. */
const STEPS = [8, 16, 32];
const MIN_STEPPED = 0.95;

/** `00000010: 0200 3e00 …`, `00000010  02 00 3e 00 …`, `0000020 177105 043114 …`: an offset, and groups of digits. */
const DUMPED =
  /^[0-9a-f]{6,16}(?::? {1,8}|: ?)(?:(?:[0-9a-f]{2}|[0-9a-f]{4}|[0-7]{3}|[0-7]{6})[ -]{1,3}){4}/i;

/** Bytes printed as numbers (`xxd`, `hexdump`, `od`): the beginning and the end, with their offsets, and all other lines. */
export const hexDumpStrategy: Strategy = {
  rule: 'hex_dump',
  condense: (text) => {
    if (!mayBe(text, MIN_SHARE, (line) => DUMPED.test(line))) {
      return undefined;
    }
    const lines = filledLines(text);
    const isDumped = lines.map((line) => DUMPED.test(line));
    const share = isDumped.filter(Boolean).length / lines.length;
    if (share < MIN_SHARE || ![16, 8].some((radix) => areStepped(lines, isDumped, radix))) {
      return undefined;
    }
    if (lines.length <= MAX_WHOLE) {
      // Nothing else is to be looked for in bytes.
      return text;
    }
    const isOther = (line: number): boolean => isDumped[line] !== true && lines[line] !== '*';
    const kept = [...lines.keys()].filter(
      (line) => line < HEAD || line >= lines.length - TAIL || isOther(line),
    );
    const shown = withGaps(lines.length, kept, (line) => lines[line] ?? '', 'lines');
    return [`[${quantity(lines.length, 'lines')} of a dump in all]`, ...shown].join('\n');
  },
};

/** Whether the offsets of nearly all lines of the dump are by the same number of bytes above those in front of them. */
function areStepped(lines: readonly string[], isDumped: readonly boolean[], radix: number): boolean {
  const steps = lines.flatMap((line, at) =>
    isDumped[at] && isDumped[at - 1]
      ? Number.parseInt(line, radix) - Number.parseInt(lines[at - 1] ?? '', radix)
      : [],
  );
  return STEPS.some((step) => steps.filter((other) => other === step).length >= steps.length * MIN_STEPPED);
}
