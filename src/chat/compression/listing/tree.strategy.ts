import { filledLines } from '../kit/filled-lines.js';
import { gap, quantity } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { dependencyLines, type TreeEntry } from './dependency-lines.js';

const MIN_ENTRIES = 12;

/** Number of entries above which similar files of one folder are counted. */
const KEEP_ALL = 300;
const HEAD = 3;
const TAIL = 1;
const FEW = 6;

/**
 * A branch as `tree`, npm, cargo, Maven and Gradle draw it. Groups 1: the drawing of the levels
 * above, 2: the name.
 */
const BRANCH =
  /^(?:\[INFO\] )?([│| \u00a0]{0,400})(?:(?:├──|└──|├─┬|└─┬|\|--|`--|\+--|\\--)-?[ \u00a0]?|[+\\]- )(.{0,2000})$/;

/**
 * Trees of folders and of dependencies: indentation by one blank a level replaces the drawing; in large trees similar
 * files of one folder are counted, and what dependencies depend on themselves.
 */
export const treeStrategy: Strategy = {
  rule: 'tree',
  condense: (text) => {
    if (!mayBe(text, 0.5, (line) => BRANCH.test(line))) {
      return undefined;
    }
    const lines = filledLines(text);
    const entries = withDepths(lines.map(readEntry));
    const count = entries.filter((entry) => entry !== undefined).length;
    if (count < MIN_ENTRIES || count < lines.length * 0.8) {
      return undefined;
    }
    const dependencies = dependencyLines(lines, entries);
    if (dependencies) {
      return [`[${quantity(count, 'entries')}; one blank a level]`, ...dependencies].join('\n');
    }
    const out: string[] = [];
    for (let i = 0; i < lines.length;) {
      const entry = entries[i];
      if (!entry) {
        out.push(lines[i] ?? '');
        i++;
        continue;
      }
      let end = i + 1;
      while (isLeafBeside(entries, end, entry.depth)) {
        end++;
      }
      const isLeaf = (entries[i + 1]?.depth ?? 0) <= entry.depth;
      const run = entries.slice(i, isLeaf ? end : i + 1).filter((each) => each !== undefined);
      renderRun(run, count > KEEP_ALL).forEach((line) => out.push(line));
      i += run.length;
    }
    return [`[${quantity(count, 'entries')}; one blank a level]`, ...out].join('\n');
  },
};

/** Whether the entry is in a folder of this depth and is no folder with entries itself. */
function isLeafBeside(entries: readonly (TreeEntry | undefined)[], at: number, depth: number): boolean {
  return entries[at]?.depth === depth && (entries[at + 1]?.depth ?? 0) <= depth;
}

function renderRun(run: readonly TreeEntry[], isLarge: boolean): string[] {
  const indent = ' '.repeat(run[0]?.depth ?? 1);
  const render = ({ name }: TreeEntry): string => indent + name;
  if (!isLarge) {
    return run.map(render);
  }
  return [...Map.groupBy(run, ({ name }) => endingOf(name))].flatMap(([ending, alike]) =>
    alike.length <= FEW
      ? alike.map(render)
      : [
          ...alike.slice(0, HEAD).map(render),
          indent + gap(alike.length - HEAD - TAIL, `more ${ending} entries`.replace('  ', ' ')),
          ...alike.slice(-TAIL).map(render),
        ],
  );
}

function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : '';
}

/** Levels for widths of drawings: npm draws two characters for each, Maven three, most four, Gradle five. */
function withDepths(entries: readonly (TreeEntry | undefined)[]): (TreeEntry | undefined)[] {
  const widths = entries.flatMap((entry) => (entry && entry.depth > 0 ? [entry.depth] : []));
  const width = widths.reduce((least, next) => Math.min(least, next), Infinity);
  return entries.map((entry) => entry && { ...entry, depth: Math.round(entry.depth / width) + 1 });
}

/** The branch of a line, with the width of its drawing for a depth. */
function readEntry(line: string): TreeEntry | undefined {
  const match = BRANCH.exec(line.slice(0, 3000));
  if (!match) {
    return undefined;
  }
  const [, drawing = '', name = ''] = match;
  return { depth: drawing.length, name };
}
