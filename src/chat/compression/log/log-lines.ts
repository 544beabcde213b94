import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { indentOf } from '../kit/indent.js';
import { templateOf } from '../kit/line-template.js';
import { areDifferent, isFileList } from '../listing/file-list.js';
import { areFigures } from './figure-lines.js';
import { findingBlocks } from './finding-blocks.js';
import { libraryLines } from './library-lines.js';
import { firstOfEach, joinNamed, joinSimilar, type LineGroup, namesOf, unusualLines } from './line-groups.js';
import { LineHeadings } from './line-headings.js';
import {
  hasLocation,
  isServerFailure,
  kindOf,
  type LineKind,
  marksTests,
  placesIn,
  withoutZeroes,
} from './line-kinds.js';
import { passedReports, passingHeadings } from './passing-headings.js';
import { linesAtPauses } from './pauses.js';
import { slowLines } from './slow-lines.js';

/** Lines that are always kept at the beginning and at the end. */
const FIRST_LINES = 3;
const LAST_LINES = 6;
const VERY_LAST = 2;

/** Number of lines up to which a group stays whole, and the same for long logs, whose rare lines are sought. */
const SMALL_GROUP = 3;
const SMALL_GROUP_OF_MANY = 6;
const MANY_LINES = 800;

/** Number of lines up to which a group of headings stays whole, and of headings that differ, numbers aside. */
const MAX_HEADS = 60;
const MAX_DIFFERENT_HEADS = 120;

/** Lines that are kept from the beginning of a group, by kind of line. */
const HEAD: Readonly<Record<LineKind, number>> = {
  blank: 0,
  begun: 0,
  passing: 0,
  plain: 1,
  library: 1,
  warning: 12,
  alarm: 60,
  failure: 400,
};

/** The same where alarms are a large share of the lines: what so many say is the rule. */
const HEAD_OF_RULE = 12;
const RULE_SHARE = 0.25;

/** The same for alarms and warnings with a place in a source file, each of which is a finding of its own. */
const MAX_LOCATED = 200;

/** Context lines before and behind an alarm. */
const LINES_BEFORE = 1;
const LINES_AFTER = 2;

/** Lines of a stack or indented detail that are kept below an alarm, and alarms of one group that have them. */
const MAX_DETAIL = 40;
const DETAILED = 5;

/** Lines that are kept of the report of a failed test, and fewer if there are many reports. */
const MAX_REPORT = 80;
const MAX_REPORT_OF_MANY = 20;
const MANY_REPORTS = 40;

/** Lines that are like the one that is shown. */
export interface Repeats {
  readonly count: number;
  /** Names in which they differ; none if there are many. */
  readonly names: readonly string[];
}

/** Decides which lines of a log are kept. */
export class LogLines {
  private readonly kinds: LineKind[];
  private readonly counts: ReadonlyMap<LineKind, readonly LineKind[]>;
  private readonly kept: Uint8Array;
  private readonly repeated = new Map<number, Repeats>();
  private readonly headings: LineHeadings;

  private readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
    this.kept = new Uint8Array(lines.length);
    const templates = lines.map((line) => templateOf(line));
    this.kinds = this.classify(templates);
    [...passingHeadings(lines, this.kinds), ...passedReports(lines)].forEach(
      (line) => (this.kinds[line] = 'begun'),
    );
    this.counts = Map.groupBy(this.kinds, (kind) => kind);
    this.keepEnds();
    this.headings = new LineHeadings(lines);
    const groups = this.groups(templates);
    groups.forEach((group) => this.keepOfGroup(group));
    this.keepReports();
    this.keepFindings();
    this.keepSlow();
    linesAtPauses(lines).forEach((line) => this.keep(line));
    groups.forEach((group) => this.countGroup(group));
  }

  isKept(line: number): boolean {
    return this.kept[line] === 1;
  }

  kindOf(line: number): LineKind {
    return this.kinds[line] ?? 'plain';
  }

  /** The group of the first line that is kept of it; undefined for other lines, and if the whole group is kept. */
  repeats(line: number): Repeats | undefined {
    return this.repeated.get(line);
  }

  private classify(templates: readonly string[]): LineKind[] {
    // Lines of one template have one kind, except those with a status or a count of failures among their numbers.
    const known = new Map<string, LineKind>();
    const isReport = marksTests(this.lines);
    const library = libraryLines(this.lines);
    return this.lines.map((line, index) => {
      if (library.has(index)) {
        return 'library';
      }
      const template = templates[index] ?? '';
      const kind = getOrInsert(known, template, () => kindOf(line, template, isReport));
      if (kind === 'plain') {
        return isServerFailure(line) ? 'alarm' : kind;
      }
      return kind === 'alarm' || kind === 'warning' ? kindWithoutZeroes(line, kind, isReport) : kind;
    });
  }

  private groups(templates: readonly string[]): LineGroup[] {
    const shown = [...templates.keys()].filter((line) => HEAD[this.kindOf(line)] > 0);
    const alike = Map.groupBy(shown, (line) => {
      const kind = this.kindOf(line);
      if (kind === 'library') {
        return kind;
      }
      return kind === 'plain' ? templates[line] : `${kind} ${templates[line]}`;
    });
    const groups = [...alike.values()].map((lines) => ({ template: templates[lines[0]!]!, lines }));
    return [...Map.groupBy(groups, ({ lines: [first = 0] }) => this.kindOf(first))].flatMap(([kind, of]) => {
      if (kind === 'plain') {
        return joinSimilar(of, () => true);
      }
      const isWord = kind === 'alarm' || kind === 'warning';
      return isWord && this.isRule(kind) ? joinNamed(of) : of;
    });
  }

  /** Whether lines of a kind are a large share of all. */
  private isRule(kind: LineKind): boolean {
    return (this.counts.get(kind)?.length ?? 0) > this.lines.length * RULE_SHARE;
  }

  private keepEnds(): void {
    const filled = this.lines.flatMap((_, line) => (this.kinds[line] === 'blank' ? [] : [line]));
    [...filled.slice(0, FIRST_LINES), ...filled.slice(-LAST_LINES)].forEach((line) => this.keep(line));
    // The last word of a run is kept even if it says that all is well.
    filled.slice(-VERY_LAST).forEach((line) => (this.kept[line] = 1));
  }

  private keepOfGroup(group: LineGroup): void {
    const { lines } = group;
    const kind = this.kindOf(lines[0] ?? 0);
    const isUseful = kind === 'alarm' || kind === 'warning';
    const isLocated = isUseful && hasLocation(this.lines[lines[0] ?? 0] ?? '');
    const isRule = kind === 'alarm' && this.isRule(kind);
    const head = isLocated ? MAX_LOCATED : isRule ? HEAD_OF_RULE : HEAD[kind];
    const small = this.lines.length < MANY_LINES ? SMALL_GROUP : SMALL_GROUP_OF_MANY;
    const isWhole = lines.length <= small || this.areNamed(lines) || this.areHeads(lines);
    const shown = isLocated ? firstOfEach(lines, (line) => this.lines[line] ?? '') : lines;
    const chosen = isWhole ? lines : [...shown.slice(0, head), ...lines.slice(-1)];
    chosen.forEach((line) => this.keep(line));
    if (!isWhole && kind !== 'library') {
      unusualLines(group, (line) => this.lines[line] ?? '').forEach((line) => this.keepWithParent(line));
    }
    if (kind === 'alarm') {
      chosen.forEach((line, rank) => this.keepAround(line, rank < DETAILED));
    }
    if (kind === 'alarm' || lines.length <= small) {
      chosen.slice(0, DETAILED).forEach((line) => this.keepHeadings(line));
    }
    if (lines.length <= small) {
      lines.forEach((line) => this.keepWithParent(line));
    }
  }

  /** Keeps a rare line, and the one that it belongs to. */
  private keepWithParent(line: number): void {
    this.keep(line);
    this.keep(this.headings.parent(line) ?? line);
  }

  /** Whether each of the lines is about a file or a name of its own. */
  private areNamed(lines: readonly number[]): boolean {
    const texts = this.textsOf(lines);
    return isFileList(texts) || areFigures(texts);
  }

  private textsOf(lines: readonly number[]): string[] {
    return lines.map((line) => this.lines[line] ?? '');
  }

  /** Whether each of the lines begins a paragraph, and so is its heading. */
  private areHeads(lines: readonly number[]): boolean {
    const isBlank = (line: number): boolean => (this.kinds[line] ?? 'blank') === 'blank';
    const areFew = lines.length <= MAX_HEADS;
    return (
      lines.length <= MAX_DIFFERENT_HEADS &&
      (areFew || areDifferent(this.textsOf(lines), lines.length)) &&
      lines.every((line) => isBlank(line - 1) && !isBlank(line) && !isBlank(line + 1))
    );
  }

  private countGroup(group: LineGroup): void {
    const { lines } = group;
    const first = lines.find((line) => this.isKept(line));
    const keptLines = lines.filter((line) => this.isKept(line)).length;
    if (first !== undefined && keptLines < lines.length) {
      this.repeated.set(first, {
        count: lines.length,
        names:
          placesIn(lines, (line) => this.lines[line] ?? '') ??
          namesOf(group, (line) => this.lines[line] ?? ''),
      });
    }
  }

  /** Keeps the lines that say what an alarm or a rare line is about. */
  private keepHeadings(line: number): void {
    this.headings.of(line).forEach((heading) => this.keep(heading));
  }

  private keepAround(alarm: number, isDetailed: boolean): void {
    for (let line = Math.max(0, alarm - LINES_BEFORE); isDetailed && line <= alarm + LINES_AFTER; line++) {
      this.keep(line);
    }
    const indent = indentOf(this.lines[alarm] ?? '');
    for (let line = alarm + 1; isDetailed && line <= alarm + MAX_DETAIL && line < this.lines.length; line++) {
      const text = this.lines[line] ?? '';
      if (
        text.trim() !== '' &&
        indentOf(text) <= indent &&
        !/^(Caused by|Traceback|\s*\.\.\. \d)/.test(text.slice(0, 40))
      ) {
        break;
      }
      if (this.kinds[line] !== 'library') {
        this.keep(line);
      }
    }
  }

  /** Keeps the report of each failed test, up to the next test. */
  private keepReports(): void {
    const starts = this.kinds.flatMap((kind, line) => (kind === 'failure' ? [line] : []));
    const longest = starts.length > MANY_REPORTS ? MAX_REPORT_OF_MANY : MAX_REPORT;
    for (const start of starts) {
      this.keep(start);
      for (let line = start + 1; line < this.lines.length && line <= start + longest; line++) {
        const kind = this.kinds[line];
        if (kind === 'failure' || kind === 'passing' || kind === 'begun') {
          break;
        }
        if (kind !== 'library') {
          this.keep(line);
        }
      }
    }
  }

  private keepFindings(): void {
    const { told, source } = findingBlocks(this.lines, (line) => this.kindOf(line) === 'alarm');
    told.forEach((line) => this.keep(line));
    source.forEach((line) => (this.kept[line] = 0));
  }

  private keepSlow(): void {
    const passing = this.lines.map((line, index) => (this.kinds[index] === 'passing' ? line : ''));
    slowLines(passing).forEach((line) => (this.kept[line] = 1));
  }

  private keep(line: number): void {
    if (line < this.lines.length && HEAD[this.kindOf(line)] > 0) {
      this.kept[line] = 1;
    }
  }
}

/** The kind of a line with an alarming word, of which the words that are counted with zero alarm nobody. */
function kindWithoutZeroes(line: string, kind: LineKind, isReport: boolean): LineKind {
  const rest = withoutZeroes(line);
  return rest === line ? kind : kindOf(rest, templateOf(rest), isReport);
}
