import { gap, quantity, shorten } from '../kit/gap.js';
import { LineEnds } from '../kit/line-ends.js';
import { type Strategy } from '../kit/strategy.js';
import { sampleLines, shareOf } from '../protection/line-sample.js';
import { timedShare } from '../protection/source-looks.js';
import { isRunner, kindOf } from './line-kinds.js';
import { LogLines, type Repeats } from './log-lines.js';

/** Number of lines below which a log stays whole. */
const MIN_LINES = 12;

const MAX_LINE = 1000;

/** Length in characters up to which a single line is kept instead of a marker, which is as long. */
const MARKER_CHARS = 24;

/**
 * Logs, test runs and output of builds: of similar lines the first and the last are kept, with their number; rare
 * lines, and errors and failures with the lines around them, are all kept. What they end with is told once.
 */
export const logStrategy: Strategy = {
  rule: 'log',
  condense: (text, { use }) => {
    const lines = text.split('\n');
    if (lines.length < MIN_LINES) {
      return undefined;
    }
    const isLog = use.isShell || isRunner(use.name) || timedShare(text) > 0.2 || reportShare(text) > 0.2;
    return isLog ? condenseLog(lines) : undefined;
  },
};

/** Lines of a log without what is regular. */
export function condenseLog(lines: readonly string[]): string {
  return render(lines, new LogLines(lines));
}

/** Share of lines that report something: a passed test, a warning, an error. */
function reportShare(text: string): number {
  return shareOf(sampleLines(text), (line) => kindOf(line, line.slice(0, 80), true) !== 'plain');
}

function render(lines: readonly string[], log: LogLines): string {
  const out: string[] = [];
  const ends = new LineEnds();
  let omitted: number[] = [];
  let isBlank = false;
  let missing = 0;
  const flush = (): void => {
    const [only] = omitted;
    if (omitted.length === 1 && only !== undefined && (lines[only] ?? '').length <= MARKER_CHARS) {
      out.push(lines[only] ?? '');
    } else if (omitted.length > 0) {
      out.push(gap(omitted.length, unitsOf(omitted, log)));
      missing += omitted.length;
    }
    omitted = [];
  };
  lines.forEach((line, index) => {
    if (line.trim() === '') {
      // A blank line is kept between shown lines only, and once.
      isBlank = omitted.length === 0;
      return;
    }
    if (!log.isKept(index)) {
      omitted.push(index);
      return;
    }
    flush();
    if (isBlank && out.length > 0) {
      out.push('');
    }
    isBlank = false;
    out.push(ends.short(shorten(line, MAX_LINE, 200)) + repetition(log.repeats(index)));
  });
  flush();
  return (missing > 0 ? [countOf(lines), ...out] : out).join('\n');
}

/** What omitted lines are called: those about passed tests are counted apart from those about begun ones. */
function unitsOf(omitted: readonly number[], log: LogLines): string {
  const kinds = omitted.map((line) => log.kindOf(line));
  const passing = kinds.filter((kind) => kind === 'passing').length;
  if (passing === omitted.length) {
    return 'passing lines';
  }
  const areOfTests = kinds.every((kind) => kind === 'passing' || kind === 'begun');
  return passing > 0 && areOfTests ? `lines, ${passing} of them passing,` : 'lines';
}

function repetition(repeats: Repeats | undefined): string {
  if (!repeats || repeats.count < 2) {
    return '';
  }
  const names = repeats.names.length > 1 ? `: ${repeats.names.join(', ')}` : '';
  return ` [${quantity(repeats.count, 'lines')} like this${names}]`;
}

/** First line: the gaps alone would have to be added up. What stands behind the last line break is no line. */
function countOf(all: readonly string[]): string {
  const lines = all.at(-1) === '' ? all.slice(0, -1) : all;
  const blank = lines.filter((line) => line.trim() === '').length;
  return `[${quantity(lines.length - blank, 'lines')} in all${blank > 0 ? `, and ${blank} blank` : ''}]`;
}
