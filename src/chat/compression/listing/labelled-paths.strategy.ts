import { filledLines } from '../kit/filled-lines.js';
import { quantity } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { CHECKSUM, readLabelColumns } from './labelled-columns.js';
import { type LabelledPath, readLabelledPath } from './labelled-lines.js';
import { folderLines } from './path-folders.js';

const MIN_PATHS = 12;

/** Share of the lines that must be paths with labels, and other lines that are kept in any case. */
const MIN_SHARE = 0.7;
const MAX_OTHER = 30;

/** Lines of one label from which on they are grouped; fewer are shown as they were written. */
const MIN_GROUP = 4;

/** Share of the lines whose labels must be frequent, or numbers. */
const MIN_FREQUENT = 0.7;
const MIN_NUMBERS = 0.9;

/** Numbered paths from which on the largest keep their lines, since these are what is looked for. */
const FEW = 60;
const LARGEST = 40;

/** Labels whose lines are counted at the top where other lines stand between them, the most frequent. */
const MAX_COUNTED = 12;

/** Paths up to which each shows its number or checksum. */
const KEEP_ALL = 300;

/** Paths above which similar names of a folder are counted. */
const MANY = 1000;

/**
 * Lists of files with a word or a number for each (`git status -s`, the check of a formatter, `du`, `grep -c`): the
 * names by label and folder. Lines with a rare label stay as they are, and so do other lines, in their places.
 */
export const labelledPathsStrategy: Strategy = {
  rule: 'labelled_paths',
  condense: (text) => {
    if (!mayBe(text, MIN_SHARE - 0.1, (line) => readLabelledPath(line) !== undefined)) {
      return undefined;
    }
    const lines = filledLines(text);
    const entries = lines.map(readLabelledPath);
    const found = entries.filter((entry) => entry !== undefined);
    const others = lines.length - found.length;
    if (found.length < MIN_PATHS || others > Math.max(MAX_OTHER, lines.length * (1 - MIN_SHARE))) {
      return undefined;
    }
    const labelled = found.filter(({ label }) => label !== '').length;
    const list = labelled < found.length / 2 ? undefined : readList(found, isSplit(entries));
    if (!list) {
      return undefined;
    }
    const rest = list.found.values();
    const read = entries.map((entry) => entry && rest.next().value);
    const more = others > 0 ? `, and ${quantity(others, 'other lines')}` : '';
    const head = `[${quantity(found.length, 'paths')}${more}${list.note}]`;
    return [head, ...renderRuns(lines, read, list.render)].join('\n');
  },
};

type RunRenderer = (run: readonly LabelledPath[]) => string[];

/** How a list is shown. */
interface PathList {
  /** For the first line: what was taken out of the labels, or their numbers. */
  readonly note: string;
  readonly found: readonly LabelledPath[];
  readonly render: RunRenderer;
}

/** Whether other lines stand between the paths. */
function isSplit(entries: readonly (LabelledPath | undefined)[]): boolean {
  const isFound = (entry: LabelledPath | undefined): boolean => entry !== undefined;
  return entries.slice(entries.findIndex(isFound), entries.findLastIndex(isFound)).includes(undefined);
}

/**
 * How lists with these labels are shown; undefined if the labels are neither numbers nor repeated, nor columns of such.
 * @param inRuns whether other lines stand between them, so that the numbers of the labels would have to be added up
 */
function readList(found: readonly LabelledPath[], inRuns: boolean): PathList | undefined {
  const render = rendererOf(found);
  if (render) {
    return { note: '', found, render };
  }
  const frequent = [...byLabel(found)].filter(([, group]) => group.length >= MIN_GROUP);
  const lines = frequent.reduce((sum, [, group]) => sum + group.length, 0);
  return lines >= found.length * MIN_FREQUENT
    ? {
        note: inRuns ? countsOf(frequent, found.length) : '',
        found,
        render: (run) => grouped(run, found.length > MANY),
      }
    : readColumnList(found);
}

function countsOf(frequent: readonly (readonly [string, readonly LabelledPath[]])[], total: number): string {
  const counted = frequent.toSorted(([, a], [, b]) => b.length - a.length).slice(0, MAX_COUNTED);
  const rest = total - counted.reduce((sum, [, group]) => sum + group.length, 0);
  const counts = counted.map(([label, { length }]) => `${label || 'no label'} ${length}`);
  return `; in all ${[...counts, ...(rest > 0 ? [`${rest} of other labels`] : [])].join(', ')}`;
}

function readColumnList(labelled: readonly LabelledPath[]): PathList | undefined {
  const { usual, hasChecksums, entries: found } = readLabelColumns(labelled);
  const note = [
    ...(usual.length > 0 ? [`; ${usual.join(' ')} unless the whole line is shown`] : []),
    ...(hasChecksums ? ['; checksums omitted'] : []),
  ].join('');
  const isThinned = found.length > MANY;
  const isMost = (entries: readonly LabelledPath[]): boolean => entries.length >= found.length * MIN_NUMBERS;
  if (isMost(found.filter(({ amounts }) => amounts !== undefined))) {
    return { note, found, render: (run) => numbered(run, isThinned) };
  }
  // Checksums alone were asked for.
  const isBare = usual.length > 0 && isMost(found.filter(({ label }) => label === ''));
  return isBare ? { note, found, render: (run) => grouped(run, isThinned) } : undefined;
}

/** For numbers and checksums. */
function rendererOf(found: readonly LabelledPath[]): RunRenderer | undefined {
  const isThinned = found.length > MANY;
  const numbers = found.filter(({ amounts }) => amounts !== undefined).length;
  if (numbers >= found.length * MIN_NUMBERS) {
    return (run) => numbered(run, isThinned);
  }
  const checksums = found.filter(({ label }) => CHECKSUM.test(label)).length;
  if (checksums >= found.length * MIN_NUMBERS && found.length > KEEP_ALL) {
    return (run) => namesOnly(run, 'checksums', isThinned);
  }
  return undefined;
}

/** Renders the runs of paths between other lines. */
function renderRuns(
  lines: readonly string[],
  entries: readonly (LabelledPath | undefined)[],
  render: RunRenderer,
): string[] {
  const out: string[] = [];
  let run: LabelledPath[] = [];
  const flush = (): void => {
    (run.length < MIN_PATHS ? run.map(({ line }) => line) : render(run)).forEach((line) => out.push(line));
    run = [];
  };
  entries.forEach((entry, index) => {
    if (entry) {
      run.push(entry);
    } else {
      flush();
      out.push(lines[index] ?? '');
    }
  });
  flush();
  return out;
}

/** Names by label and folder. */
function grouped(run: readonly LabelledPath[], isThinned: boolean): string[] {
  return [...byLabel(run)].flatMap(([label, group]) =>
    group.length < MIN_GROUP
      ? group.map(({ line }) => line)
      : [
          label === '' ? `[${quantity(group.length, 'paths')} alone:]` : `${label} (${group.length}):`,
          ...folderLines(group, { pathOf, isThinned }),
        ],
  );
}

/** The largest numbers, and the other names by folder, with their numbers unless there are very many. */
function numbered(run: readonly LabelledPath[], isThinned: boolean): string[] {
  const others = run.filter(({ amounts }) => amounts === undefined).map(({ line }) => line);
  const sizes = run.filter(({ amounts }) => amounts !== undefined);
  const largest = sizes.length > FEW ? largestOf(sizes) : new Set();
  const rest = sizes.filter((entry) => !largest.has(entry));
  return [
    ...others,
    ...sizes.filter((entry) => largest.has(entry)).map(shortLine),
    ...(sizes.length > KEEP_ALL
      ? namesOnly(rest, 'smaller numbers', isThinned)
      : folderLines(rest, { pathOf, show: (name, { label }) => `${name} ${shortDrawing(label)}` })),
  ];
}

/** Those with the largest numbers of each column: times would hide sizes in a sum. */
function largestOf(sizes: readonly LabelledPath[]): Set<LabelledPath> {
  const width = sizes.reduce((most, { amounts = [] }) => Math.max(most, amounts.length), 1);
  const columns = Array.from({ length: width }, (_, at) =>
    sizes
      .toSorted((a, b) => (b.amounts?.[at] ?? 0) - (a.amounts?.[at] ?? 0))
      .slice(0, Math.ceil(LARGEST / width)),
  );
  return new Set(columns.flat());
}

/** A line with its path as it is. */
function shortLine({ line, path }: LabelledPath): string {
  const at = line.lastIndexOf(path);
  return shortDrawing(line.slice(0, at)) + path + shortDrawing(line.slice(at + path.length));
}

/** Without the length of a drawing such as `+++--`, which repeats the number, and without alignment. */
function shortDrawing(text: string): string {
  return text
    .replace(/(\+)\+{1,200}/g, '$1')
    .replace(/(-)-{1,200}$/, '$1')
    .replace(/\t| {2,400}/g, ' ');
}

function namesOnly(run: readonly LabelledPath[], missing: string, isThinned: boolean): string[] {
  return [
    `[… ${missing} of ${quantity(run.length, 'paths')} omitted:]`,
    ...folderLines(run, { pathOf, isThinned }),
  ];
}

function pathOf({ path }: LabelledPath): string {
  return path;
}

function byLabel(entries: readonly LabelledPath[]): Map<string, LabelledPath[]> {
  return Map.groupBy(entries, ({ label }) => label);
}
