import { gap, quantity } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';

const MIN_ENTRIES = 12;

/** Number of entries above which similar files of one folder are counted. */
const KEEP_ALL = 300;
const HEAD = 3;
const TAIL = 1;
const FEW = 6;

const BRANCH = /^([│| \u00a0]{0,400})(?:├──|└──|\|--|`--|\+--)[ \u00a0]?(.{0,2000})$/;

interface Entry {
  readonly depth: number;
  readonly name: string;
}

/**
 * Trees of folders: indentation by one blank a level replaces the drawing; in large trees similar files of one folder
 * are counted.
 */
export const treeStrategy: Strategy = {
  rule: 'tree',
  condense: (text) => {
    if (!mayBe(text, 0.5, (line) => BRANCH.test(line))) {
      return undefined;
    }
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const entries = lines.map(readEntry);
    const count = entries.filter((entry) => entry !== undefined).length;
    if (count < MIN_ENTRIES || count < lines.length * 0.8) {
      return undefined;
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
function isLeafBeside(entries: readonly (Entry | undefined)[], at: number, depth: number): boolean {
  return entries[at]?.depth === depth && (entries[at + 1]?.depth ?? 0) <= depth;
}

function renderRun(run: readonly Entry[], isLarge: boolean): string[] {
  const indent = ' '.repeat(run[0]?.depth ?? 1);
  const render = ({ name }: Entry): string => indent + name;
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

function readEntry(line: string): Entry | undefined {
  const match = BRANCH.exec(line.slice(0, 3000));
  if (!match) {
    return undefined;
  }
  const [, drawing = '', name = ''] = match;
  return { depth: Math.round(drawing.length / 4) + 1, name };
}
