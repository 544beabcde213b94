import { gap } from '../kit/gap.js';

/** Similar names that are kept of the beginning and the end of a group. */
const HEAD = 3;
const TAIL = 2;

/** Similar names up to which a group is kept whole. */
const FEW = 8;

/**
 * A folder and its names as one line; a lone name stays a path, as it is searched for. Of many names that differ in digits
 * only, the first and the last are kept and the others counted.
 * @param folder path with the closing slash; empty for names without a folder
 * @param isThinned whether names with the same extension count as similar
 */
export function folderLine(folder: string, names: readonly string[], isThinned: boolean): string {
  if (names.length === 1) {
    return folder + (names[0] ?? '');
  }
  const shown = names.length > FEW ? thinned(names, isThinned) : names;
  const label = folder === '' ? '' : `${folder}${names.length > 3 ? ` (${names.length})` : ''}: `;
  // Names with blanks in them need another separator.
  const comma = names.some((name) => name.includes(' ')) ? ', ' : ' ';
  return label + shown.join(comma);
}

function thinned(names: readonly string[], isThinned: boolean): string[] {
  const kinds = Map.groupBy(names, isThinned ? endingOf : withoutDigits);
  return [...kinds].flatMap(([kind, alike]) => {
    if (alike.length <= FEW) {
      return alike;
    }
    const what = isThinned ? `${kind} names`.trim() : 'names like these';
    return [...alike.slice(0, HEAD), gap(alike.length - HEAD - TAIL, what), ...alike.slice(-TAIL)];
  });
}

function withoutDigits(name: string): string {
  return name.replace(/\d{1,40}/g, '#');
}

/** Property by which names are grouped when they are thinned: the subfolder, else the extension. */
function endingOf(name: string): string {
  const slash = name.indexOf('/');
  if (slash >= 0 && slash < name.length - 1) {
    return name.slice(0, slash + 1);
  }
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : slash >= 0 ? 'folder' : '';
}
