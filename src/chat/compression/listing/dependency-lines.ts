import { withGaps } from '../kit/gap.js';

/** A line of a tree. */
export interface TreeEntry {
  /** 1 for the branches of the root. */
  readonly depth: number;
  readonly name: string;
}

/** A name with a version, by which a tree is one of dependencies, and the share of the names that must be such. */
const VERSIONED = /(?:[@:= ]|==)v?[~^]?\d+\.\w/;
const MIN_VERSIONED = 0.7;

/** Roots from which on they are what the project depends on: some programs print a tree for each. */
const MIN_ROOTS = 3;

/** Dependencies of one dependency that are kept: the first ones and the last. */
const HEAD = 3;
const TAIL = 1;

/** Dependencies of the project from which on only the first of each is kept: there the project's own are looked for. */
const MANY_OWNERS = 12;

/** Dependencies that something is wrong with, and how many of a kind are kept. */
const REMARKABLE =
  /invalid|unmet|missing|extraneous|overrid|conflict|deprecated|fail|not found|unresolved|snapshot|vulnerab|installed: \?/i;
const MAX_REMARKABLE = 12;

/** Another version than was asked for, which is remarkable where it is rare. */
const REPLACED = /\d -> /;

/**
 * The lines of a tree of dependencies: all that the project depends on itself, a few of what each of these depends on,
 * and those that something is wrong with, wherever they stand.
 * @param entries by line, undefined for lines outside of the drawing, which are kept
 * @returns undefined if it is a tree of something else
 */
export function dependencyLines(
  lines: readonly string[],
  entries: readonly (TreeEntry | undefined)[],
): string[] | undefined {
  const branches = entries.filter((entry) => entry !== undefined);
  const versioned = branches.filter(({ name }) => VERSIONED.test(name)).length;
  if (versioned < branches.length * MIN_VERSIONED) {
    return undefined;
  }
  const roots = entries.filter(
    (entry, at) => !entry && entries[at + 1]?.depth === 1 && isDependency(lines[at] ?? ''),
  ).length;
  const kept = keptLines(entries, roots >= MIN_ROOTS ? 0 : 1);
  return withGaps(
    lines.length,
    kept,
    (line) => {
      const entry = entries[line];
      return entry ? ' '.repeat(entry.depth) + entry.name : (lines[line] ?? '');
    },
    'dependencies',
  );
}

/** Whether a root of a tree is a dependency, and neither the project in its folder nor a heading. */
function isDependency(root: string): boolean {
  return VERSIONED.test(root) && !/ \(?[/\\]/.test(root);
}

/** @param own depth of what the project depends on itself */
function keptLines(entries: readonly (TreeEntry | undefined)[], own: number): number[] {
  const kept = new Set<number>();
  const remarkable = new Map<string, number>();
  const isReplaced = (entry: TreeEntry | undefined): boolean => REPLACED.test(entry?.name ?? '');
  const areRare = entries.filter(isReplaced).length <= MAX_REMARKABLE;
  let children: number[] = [];
  const owners = entries.filter((entry) => entry?.depth === own).length;
  const [head, tail] = owners >= MANY_OWNERS ? [1, 0] : [HEAD, TAIL];
  const closeGroup = (): void => {
    [...children.slice(0, head), ...children.slice(children.length - tail)].forEach((line) => kept.add(line));
    children = [];
  };
  entries.forEach((entry, line) => {
    if (!entry || entry.depth <= own) {
      closeGroup();
      kept.add(line);
    } else if (entry.depth === own + 1) {
      children.push(line);
    }
    const kind =
      entry &&
      (REMARKABLE.exec(entry.name)?.[0].toLowerCase() ??
        (areRare && isReplaced(entry) ? 'replaced' : undefined));
    const count = kind ? (remarkable.get(kind) ?? 0) + 1 : 0;
    if (kind && count <= MAX_REMARKABLE) {
      kept.add(line);
      remarkable.set(kind, count);
    }
  });
  closeGroup();
  return [...kept].sort((a, b) => a - b);
}
