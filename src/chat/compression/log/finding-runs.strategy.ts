import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { isFinding, reportOf } from './diagnostics.strategy.js';
import { isPlaceBelow, withPlacesInFront } from './finding-blocks.js';
import { condenseLog } from './log.strategy.js';

/** Findings that stand together from which on they are a report, and the share of the lines that must be such at a glance. */
const MIN_RUN = 12;
const MIN_GLANCE = 0.1;

/** Lines between two findings of a report: source below the first, headings, blank lines. */
const MAX_BETWEEN = 12;

/** Share of a report's text that it may take: where more is left, most findings are rare, and a log leaves their source out. */
const MAX_REPORT = 0.7;

/** Lines around reports up to which they stay as they are. */
const MAX_WHOLE = 12;

/**
 * Reports of findings in the output of several programs, such as a build, its linter and its tests: each report as if it
 * stood alone, and what stands around them as a log.
 */
export const findingRunsStrategy: Strategy = {
  rule: 'finding_runs',
  condense: (text) => {
    if (!mayBe(text, MIN_GLANCE, isPlaced)) {
      return undefined;
    }
    const lines = text.split('\n');
    const parts: string[] = [];
    let end = 0;
    for (const run of runsOf(lines)) {
      const whole = withPlacesInFront(lines.slice(run.start, run.end)).join('\n');
      const report = reportOf(whole);
      if (report !== undefined && report.length < whole.length * MAX_REPORT) {
        parts.push(...around(lines.slice(end, run.start)), report);
        end = run.end;
      }
    }
    return end === 0 ? undefined : [...parts, ...around(lines.slice(end))].join('\n');
  },
};

/** Lines of a report: from its first finding on, to behind its last. */
interface Run {
  readonly start: number;
  end: number;
  findings: number;
}

/** Whether a line is a finding, or the place of the one above. */
function isPlaced(line: string): boolean {
  return isFinding(line) || isPlaceBelow(line);
}

function runsOf(lines: readonly string[]): Run[] {
  const runs: Run[] = [];
  lines.forEach((line, index) => {
    if (!isPlaced(line)) {
      return;
    }
    const last = runs.at(-1);
    if (last && index - last.end <= MAX_BETWEEN) {
      last.end = index + 1;
      last.findings++;
    } else {
      const start = isPlaceBelow(line) ? Math.max(0, index - 1) : index;
      runs.push({ start, end: index + 1, findings: 1 });
    }
  });
  return runs
    .filter(({ findings }) => findings >= MIN_RUN)
    .map((run) => ({ ...run, end: endOfParagraph(lines, run.end) }));
}

/** The next blank line, up to which the source below a last finding may go on; the same line if there is none soon. */
function endOfParagraph(lines: readonly string[], from: number): number {
  const blank = lines.slice(from, from + MAX_BETWEEN).findIndex((line) => line.trim() === '');
  return blank < 0 ? from : from + blank;
}

function around(lines: readonly string[]): readonly string[] {
  return lines.length > MAX_WHOLE ? [condenseLog(lines)] : lines;
}
