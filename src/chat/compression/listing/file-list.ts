import { isTimed } from '../protection/source-looks.js';
import { cellNumber } from '../rows/cell-values.js';

/** Number of lines up to which a list of files is kept whole. */
const MAX_FILES = 300;

/** Characters of each line that are searched for paths. */
const MAX_LINE = 600;

/** Progress of a build in front of a line: `[ 12%]`, `[3/260]`. */
export const PROGRESS = /^\[ {0,2}\d{1,3}%\]|^\[\d{1,6}\/\d{1,6}\]/;

/** Numbers in front of a name by which lines are those of a profile, and sorted by one of them: `wc` prints three. */
const MIN_FIGURES = 4;

/** Name of a service in front of a line of its log: `web-1  | `. */
const SOURCE = /^[\w.-]{1,60} {0,40}\| {1,4}/;

/** Share of the lines that must name different files. */
const MIN_DIFFERENT = 0.8;

const NUMBERS = /0x[0-9a-f]{1,40}|\d{1,40}/g;

/**
 * Whether similar lines are a list of files, as in a status, sizes or checksums: each begins or ends with a different
 * path, or is nothing but a name in parts. Lines with times or progress are events in a log, and numbered series of files
 * have no names of their own.
 * @param lines of one template
 */
export function isFileList(lines: readonly string[]): boolean {
  const [first = ''] = lines;
  if (
    lines.length > MAX_FILES ||
    isTimed(first) ||
    isTimed(first.replace(SOURCE, '')) ||
    PROGRESS.test(first)
  ) {
    return false;
  }
  const words = lines.map((line) =>
    line
      .slice(0, MAX_LINE)
      .trim()
      .split(/[\s'"]+/)
      .filter((word) => word !== ''),
  );
  if (words.every((of) => of.length === 1) && areDifferent(words.flat().filter(isDottedName), lines.length)) {
    return true;
  }
  if (words.every((of) => of.slice(0, MIN_FIGURES).filter(isNumber).length === MIN_FIGURES)) {
    return false;
  }
  return [0, -1].some((place) => {
    const paths = words.map((of) => of.at(place) ?? '').filter(isPath);
    return areDifferent(paths, lines.length);
  });
}

function isNumber(word: string): boolean {
  return cellNumber(word) !== undefined;
}

/** Whether nearly all lines have a name of their own, numbers aside. */
export function areDifferent(names: readonly string[], lines: number): boolean {
  return new Set(names.map((name) => name.replace(NUMBERS, '#'))).size >= lines * MIN_DIFFERENT;
}

/** Whether a line that is one word names something in parts: `module.shop.aws_lb.main`, `pod/web-1`. Ids do not. */
function isDottedName(word: string): boolean {
  return /^[A-Za-z][\w-]{1,80}(?:[./:][\w@-]{1,80}){1,12}$/.test(word) && /[A-Za-z]{3}/.test(word);
}

/** Whether a word is a path: it has a folder or an extension, and is no URL. */
function isPath(word: string): boolean {
  return /[A-Za-z]/.test(word) && /[/\\]|\.[A-Za-z]\w{0,9}$/.test(word) && !word.includes('://');
}
