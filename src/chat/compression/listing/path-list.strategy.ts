import { quantity } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { folderLines } from './folder-names.js';

const MIN_PATHS = 12;

/** Number of paths up to which every name is kept, except in long numbered series. */
const KEEP_ALL = 1000;

/** Number of folders above which they are merged into their parents. */
const MAX_FOLDERS = 150;

/** Lines without a path, such as a total or an error, that a list may have. They are kept. */
const MAX_OTHER = 20;

const PATH = /^(?:[A-Za-z]:)?[^\s:*?"<>|;{}()=,']{1,600}(?: [^\s:*?"<>|;{}()=,']{1,60}){0,3}$/;

/** Lists of paths (`find`, `glob`): names grouped by folder; in large folders similar names are counted. */
export const pathListStrategy: Strategy = {
  rule: 'path_list',
  condense: (text) => {
    if (!mayBe(text, 0.6, isPath)) {
      return undefined;
    }
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const paths = lines.filter(isPath);
    const others = lines.filter((line) => !isPath(line));
    const nested = paths.filter((path) => /[/\\]/.test(path)).length;
    if (
      paths.length < MIN_PATHS ||
      others.length > Math.min(MAX_OTHER, paths.length / 4) ||
      nested < paths.length * 0.6
    ) {
      return undefined;
    }
    const folders = Map.groupBy(paths, folderOf);
    const groups = paths.length > KEEP_ALL && folders.size > MAX_FOLDERS ? merge(folders) : folders;
    const isThinned = paths.length > KEEP_ALL;
    const parts = [...groups].flatMap(([folder, inside]) =>
      folderLines(
        folder,
        inside.map((path) => path.slice(folder.length)),
        isThinned,
      ),
    );
    return [
      `[${quantity(paths.length, 'paths')} in ${quantity(folders.size, 'folders')}]`,
      ...parts,
      ...others,
    ].join('\n');
  },
};

function isPath(line: string): boolean {
  return line.length < 800 && PATH.test(line);
}

function folderOf(path: string): string {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  return path.slice(0, Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\')) + 1);
}

/** Merges the deepest folders into their parents until at most `MAX_FOLDERS` are left. */
function merge(folders: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  for (let depth = deepest(folders.keys()); depth > 1; depth--) {
    const merged = new Map<string, string[]>();
    for (const [folder, paths] of folders) {
      const above = ancestor(folder, depth);
      const inside = merged.get(above);
      if (inside) {
        paths.forEach((path) => inside.push(path));
      } else {
        merged.set(above, [...paths]);
      }
    }
    if (merged.size <= MAX_FOLDERS || depth === 2) {
      return merged;
    }
  }
  return new Map([...folders].map(([folder, paths]) => [folder, [...paths]]));
}

/** Number of parts of the deepest folder, at most 12: deeper folders are always merged. */
function deepest(folders: Iterable<string>): number {
  let depth = 1;
  for (const folder of folders) {
    depth = Math.max(depth, folder.split(/[/\\]/).length);
  }
  return Math.min(12, depth);
}

/** The first `depth - 1` parts of a folder's path, or all of a shorter one. */
function ancestor(folder: string, depth: number): string {
  let end = 0;
  for (let part = 1; part < depth; part++) {
    const next = folder.slice(end).search(/[/\\]/);
    if (next < 0) {
      return folder;
    }
    end += next + 1;
  }
  return folder.slice(0, end);
}
