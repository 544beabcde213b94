import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { folderLine } from './folder-names.js';

/** Number of folders above which they are merged into their parents. */
const MAX_FOLDERS = 150;

/** The folder of a path with its closing slash; empty for a name alone. A slash at the end belongs to the name. */
export function folderOf(path: string): string {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  return path.slice(0, Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\')) + 1);
}

export interface FolderLinesOptions<T> {
  readonly pathOf: (entry: T) => string;
  /** An entry by its name within the folder; by default the name alone. */
  readonly show?: (name: string, entry: T) => string;
  /** Whether many folders are merged into their parents, and names with the same extension count as similar. */
  readonly isThinned?: boolean;
}

/** Entries in one line for each folder. */
export function folderLines<T>(
  entries: readonly T[],
  { pathOf, show = (name) => name, isThinned = false }: FolderLinesOptions<T>,
): string[] {
  return [...byFolder(entries, pathOf, isThinned)].map(([folder, inside]) => {
    const names = inside.map((entry) => show(pathOf(entry).slice(folder.length), entry));
    return folderLine(folder, names, isThinned);
  });
}

/** @param mayMerge whether many folders are merged into their parents */
function byFolder<T>(
  entries: readonly T[],
  pathOf: (entry: T) => string,
  mayMerge: boolean,
): Map<string, T[]> {
  const folders = Map.groupBy(entries, (entry) => folderOf(pathOf(entry)));
  return mayMerge && folders.size > MAX_FOLDERS ? merge(folders) : folders;
}

/** Merges the deepest folders into their parents until at most `MAX_FOLDERS` are left. */
function merge<T>(folders: Map<string, T[]>): Map<string, T[]> {
  for (let depth = deepest(folders.keys()); depth > 1; depth--) {
    const merged = new Map<string, T[]>();
    for (const [folder, entries] of folders) {
      const above = ancestor(folder, depth);
      const inside = getOrInsert(merged, above, () => []);
      entries.forEach((entry) => inside.push(entry));
    }
    if (merged.size <= MAX_FOLDERS || depth === 2) {
      return merged;
    }
  }
  return folders;
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
