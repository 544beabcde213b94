import { filledLines } from '../kit/filled-lines.js';
import { quantity } from '../kit/gap.js';
import { inSequence } from '../kit/pattern-table.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { isPlaceBelow, isSnippet, withPlacesInFront } from './finding-blocks.js';
import { type Finding, FindingMessages, messageNames } from './finding-messages.js';
import { type DetailedFinding, findingsByFile } from './findings-by-file.js';
import { condenseLog } from './log.strategy.js';

const MIN_FINDINGS = 8;

/** Share of the lines that must be findings, or source below them, at a glance. */
const MIN_GLANCE = 0.15;

/** Share of the lines that must be findings or headings of files. */
const MIN_SHARE = 0.6;

/**
 * A finding with its place: `src/a.ts(12,5): error …`, `src/a.c:12:5: warning: …`, `a.py:12:5: E501 …`,
 * `a.rb:12:5: C: …`, `src/a.ts:12:5 - error …`, `a.yml:12:5: [error] …`. Linters print `12:5  error  …` below the
 * name of the file.
 */
const INLINE = inSequence(
  [
    /^((?:[A-Za-z]:[\\/])?[^\s:()]{1,400})/,
    /(\(\d{1,7},\d{1,6}\)|:\d{1,7}(?::\d{1,6})?)(?:: {0,3}| - )/,
    /((?:(?:fatal )?\[?(?:error|warning|note|info)\b|[A-Z]{1,4}\d{2,5}:? |[CEFRW]: ).{0,4000})$/,
  ],
  'i',
);
/** `./a.go:12:5: unreachable code`. Matches of a search have this form, too, but do not repeat. */
const PLACED = inSequence([
  /^((?:[A-Za-z]:[\\/])?[^\s:()]{1,400})/,
  /(:\d{1,7}:\d{1,6}): /,
  /([^\s\d].{0,4000})$/,
]);
const MAX_DIFFERENT = 0.5;

/** Marks below the source of a finding. */
const MARKS = /^[ \t]{0,400}[\^~][\^~ \t]{0,400}$/;

/** Share of the text up to which inline findings stay as they are written: each is complete by itself. */
const MAX_WHOLE = 0.7;

/** Other lines that stay as they are, and those of a report by file for each finding. */
const MAX_OTHERS = 30;
const MAX_OTHERS_SHARE = 0.5;

/** Share of the other form up to which a report by file is shown. */
const MAX_BY_FILE = 0.8;

/** Share of the lines that must be places, where these stand below the findings, and of the text that a report may take. */
const MIN_PLACES = 0.05;
const MAX_BLOCKS = 0.5;

const BELOW = /^ {1,8}(\d{1,7}:\d{1,6}) {1,8}((?:error|warning|info) {1,8}.{0,4000})$/i;

/**
 * Findings of compilers and linters: each message once, with all its places; other lines stay between the findings where
 * they stood. Where that saves little, the findings by file. None is left out.
 */
export const diagnosticsStrategy: Strategy = {
  rule: 'diagnostics',
  condense: (text) =>
    condenseFindings(text, INLINE) ?? condenseFindings(text, PLACED, MAX_DIFFERENT) ?? condenseBlocks(text),
};

/** Findings whose places stand below them. */
function condenseBlocks(text: string): string | undefined {
  if (!mayBe(text, MIN_PLACES, isPlaceBelow)) {
    return undefined;
  }
  const lines = withPlacesInFront(filledLines(text));
  const byFile = renderByFile(
    lines,
    lines.map((line) => readFinding(line, INLINE)),
  );
  return byFile !== undefined && byFile.length < text.length * MAX_BLOCKS ? byFile : undefined;
}

/** @param maxDifferent share of the findings that may have messages of their own, names aside */
function condenseFindings(text: string, inline: RegExp, maxDifferent = 1): string | undefined {
  if (!mayBe(text, MIN_GLANCE, (line) => inline.test(line) || BELOW.test(line) || isSnippet(line))) {
    return undefined;
  }
  return reportOf(text, inline, maxDifferent);
}

/** Whether a line is a finding with its place and severity or code. */
export function isFinding(line: string): boolean {
  return INLINE.test(line);
}

/** A report of findings, as `condenseFindings`, without the quick check before it. */
export function reportOf(text: string, inline = INLINE, maxDifferent = 1): string | undefined {
  const lines = filledLines(text);
  const read = lines.map((line) => readFinding(line, inline));
  const found = read.filter((finding) => finding !== undefined);
  const headings = lines.filter(
    (line, index) => BELOW.test(lines[index + 1] ?? '') && !BELOW.test(line),
  ).length;
  const isReport = found.length >= MIN_FINDINGS && found.length + headings >= lines.length * MIN_SHARE;
  const kinds = new Set(found.map(({ message }) => message.replace(messageNames(), '*')));
  if (kinds.size > found.length * maxDifferent) {
    return undefined;
  }
  const whole = isReport ? render(lines, read) : undefined;
  const isInline = found.some(({ path }) => path !== '');
  if (whole !== undefined && isInline && whole.length < text.length * MAX_WHOLE) {
    return whole;
  }
  const byFile = renderByFile(lines, read);
  return byFile !== undefined && byFile.length < (whole ?? text).length * MAX_BY_FILE ? byFile : whole;
}

/** Lines that belong to findings, and others, among which a report by file has no place for many. */
interface Report {
  readonly findings: DetailedFinding[];
  readonly before: string[];
  readonly behind: string[];
}

/** Findings by file, with the other lines before and behind them; undefined if there are many of these. */
function renderByFile(lines: readonly string[], found: readonly (Finding | undefined)[]): string | undefined {
  const { findings, before, behind } = readReport(lines, found);
  const isReport =
    findings.length >= MIN_FINDINGS && before.length + behind.length <= findings.length * MAX_OTHERS_SHARE;
  return isReport
    ? [...shortly(before), ...findingsByFile(findings), ...shortly(behind)].join('\n')
    : undefined;
}

/** Other lines: those of a build, which may be many, as a log. */
function shortly(lines: readonly string[]): readonly string[] {
  return lines.length > MAX_OTHERS ? [condenseLog(lines)] : lines;
}

function readReport(lines: readonly string[], found: readonly (Finding | undefined)[]): Report {
  const report: Report = { findings: [], before: [], behind: [] };
  let heading = '';
  let details: string[] | undefined;
  lines.forEach((line, index) => {
    const finding = found[index];
    if (finding) {
      details = [];
      report.findings.push({
        ...finding,
        path: finding.path || heading,
        line: finding.path === '' && heading !== '' ? `${heading}:${finding.at}  ${finding.message}` : line,
        details,
      });
    } else if (found[index + 1]?.path === '') {
      heading = line;
      details = undefined;
    } else if (line.endsWith(':') && line.startsWith(found[index + 1]?.path ?? '\0')) {
      // In which function the next finding is: its place tells.
      details = undefined;
    } else if (details && (/^[ \t]|^\d{1,7} {0,4}\|/.test(line) || MARKS.test(lines[index + 1] ?? ''))) {
      details.push(line);
    } else {
      details = undefined;
      (report.findings.length === 0 ? report.before : report.behind).push(line);
    }
  });
  return report;
}

function readFinding(line: string, inline: RegExp): Finding | undefined {
  const [, path = '', at = '', message = ''] = inline.exec(line) ?? [];
  if (message !== '') {
    return { message, path, at };
  }
  const [, place = '', below = ''] = BELOW.exec(line) ?? [];
  return below === '' ? undefined : { message: below.replace(/ {2,100}/g, '  '), path: '', at: place };
}

/** @param found the finding of each line, undefined for other lines, which stay where they stood */
function render(lines: readonly string[], found: readonly (Finding | undefined)[]): string {
  const blocks: Finding[][] = [[]];
  found.forEach((finding) => (finding ? blocks.at(-1)?.push(finding) : blocks.push([])));
  const messages = new FindingMessages(blocks);
  const total = quantity(found.filter((finding) => finding).length, 'findings');
  const others = lines.filter((_, line) => !found[line]);
  return [
    `[${total}, each message once with its places]`,
    ...messages.legend,
    ...blocks.flatMap((block, at) => [...messages.lines(block), ...others.slice(at, at + 1)]),
  ].join('\n');
}
