import { quantity, shorten, withGaps } from '../kit/gap.js';
import { compilePattern } from '../kit/pattern-table.js';
import { type Strategy } from '../kit/strategy.js';
import { ranProgram, type ToolUse } from '../kit/tool-use.js';
import { CHANGED_DECLARATIONS, DIFF_HEADERS, GENERATED_FILES } from './diff-patterns.js';

/** Unchanged lines that are kept on each side of a change; `git` prints three. */
const CONTEXT = 1;

/** Longest run of added or removed lines that stays whole, and the lines that are kept of a longer one. */
const MAX_RUN = 60;
const RUN_HEAD = 36;
const RUN_TAIL = 10;

/** The same limits for generated files, such as lock files. */
const MAX_GENERATED_RUN = 12;
const GENERATED_HEAD = 5;
const GENERATED_TAIL = 3;

/** Declarations that are kept from the middle of a long run. */
const MAX_NAMED = 24;

const MAX_LINE = 400;

const HEADER = compilePattern(DIFF_HEADERS);
const GENERATED = compilePattern(GENERATED_FILES);
const DECLARATION = compilePattern(CHANGED_DECLARATIONS);

/** Share of lines that must belong to a diff, unless `git` printed the text. */
const MIN_SHARE = 0.5;

/**
 * Unified diffs: every file, hunk header and changed line, with one line of context instead of three. Long runs of
 * added or removed lines keep their beginning, their end and the declarations between.
 */
export const diffStrategy: Strategy = {
  rule: 'diff',
  condense: (text, { use }) => {
    if (!/^(diff --git |@@ -|--- )/m.test(text)) {
      return undefined;
    }
    const diff = new DiffCondenser(text.split('\n'));
    const condensed = diff.condense();
    if (diff.diffLines < diff.total * MIN_SHARE && !(ranProgram(use, 'git') && diff.diffLines > 0)) {
      return undefined;
    }
    return isOutput(text, use) ? condensed : text;
  },
};

/**
 * Whether a program has just made the diff: the call compares versions, or the text begins like the output of `git`.
 * Any other diff may be a patch file that was read and will be applied.
 */
function isOutput(text: string, use: ToolUse): boolean {
  return (
    ranProgram(use, 'git', 'diff', 'svn', 'hg', 'gh', 'glab', 'jj', 'colordiff', 'interdiff', 'delta') ||
    /diff|commit|pull|compare|review|change|show|git|revision/.test(use.name) ||
    /^\s{0,20}(diff --git |commit [0-9a-f]{7,40}\b)/.test(text)
  );
}

class DiffCondenser {
  /** Lines of headers and hunks. */
  diffLines = 0;
  readonly total: number;
  private readonly out: string[] = [];
  private isGenerated = false;

  private readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
    this.total = lines.length;
  }

  condense(): string {
    for (let i = 0; i < this.lines.length;) {
      const line = this.lines[i] ?? '';
      this.out.push(shorten(line, MAX_LINE, 80));
      this.diffLines += HEADER.test(line) ? 1 : 0;
      i++;
      if (line.startsWith('diff --git ') || line.startsWith('+++ ')) {
        this.isGenerated = GENERATED.test(line.slice(-500).trimEnd());
      }
      const hunk = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/.exec(line);
      if (hunk) {
        const end = this.hunkEnd(i, Number(hunk[1] ?? 1), Number(hunk[2] ?? 1));
        this.diffLines += end - i;
        this.hunk(this.lines.slice(i, end));
        i = end;
      }
    }
    return this.out.join('\n');
  }

  /** Exclusive end of a hunk, by the counts in its header, since a removed line may itself begin with `-- `. */
  private hunkEnd(start: number, oldLines: number, newLines: number): number {
    let i = start;
    for (let before = oldLines, after = newLines; i < this.lines.length; i++) {
      const sign = signOf(this.lines[i]);
      if (sign === undefined || (before <= 0 && after <= 0 && sign !== '\\')) {
        break;
      }
      before -= sign === '+' || sign === '\\' ? 0 : 1;
      after -= sign === '-' || sign === '\\' ? 0 : 1;
    }
    return i;
  }

  private hunk(lines: readonly string[]): void {
    for (let i = 0; i < lines.length;) {
      const sign = signOf(lines[i]);
      let end = i + 1;
      while (end < lines.length && signOf(lines[end]) === sign) {
        end++;
      }
      const run = lines.slice(i, end);
      const shown = sign === ' ' ? context(run, i === 0, end === lines.length) : this.changes(run);
      shown.forEach((line) => this.out.push(line));
      i = end;
    }
  }

  private changes(run: readonly string[]): string[] {
    const [max, head, tail] = this.isGenerated
      ? [MAX_GENERATED_RUN, GENERATED_HEAD, GENERATED_TAIL]
      : [MAX_RUN, RUN_HEAD, RUN_TAIL];
    const render = (index: number): string => shorten(run[index] ?? '', MAX_LINE, 80);
    const all = run.map((_, index) => index);
    if (run.length <= max) {
      return all.map(render);
    }
    const named = all
      .slice(head, -tail)
      .filter((index) => DECLARATION.test((run[index] ?? '').slice(0, 200)));
    const kept = [...all.slice(0, head), ...named.slice(0, MAX_NAMED), ...all.slice(-tail)];
    return withGaps(run.length, kept, render, run[0]?.startsWith('+') ? 'added lines' : 'removed lines');
  }
}

/**
 * The sign of a line in a hunk; undefined if the line belongs to none. Some tools strip the blank of an empty
 * unchanged line.
 */
function signOf(line: string | undefined): string | undefined {
  const sign = line === '' || line === '\r' ? ' ' : (line?.charAt(0) ?? '');
  return ' +-\\'.includes(sign) && sign !== '' ? sign : undefined;
}

function context(run: readonly string[], isFirst: boolean, isLast: boolean): string[] {
  const before = isFirst ? 0 : CONTEXT;
  const after = isLast ? 0 : CONTEXT;
  const missing = run.length - before - after;
  // Leaving out one line saves nothing: its gap marker is a line, too.
  if (missing < 2) {
    return [...run];
  }
  return [...run.slice(0, before), `[… ${quantity(missing, 'lines')}]`, ...run.slice(run.length - after)];
}
