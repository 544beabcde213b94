import { isTimed } from '../protection/source-looks.js';

/** Longer lists are told by examples. */
const MAX_FILES = 300;

/** Of each line so much is looked at. */
const MAX_LINE = 600;

/** Share of the lines that must name a file of their own. */
const MIN_DIFFERENT = 0.8;

/**
 * Whether lines that say the same are a list of files, as of a status, of sizes or checksums: each begins or ends with
 * another path. What happens to files in a log with times is no list, nor are numbered series.
 */
export function isFileList(lines: readonly string[]): boolean {
  if (lines.length > MAX_FILES || isTimed(lines[0] ?? '')) {
    return false;
  }
  const words = lines.map((line) =>
    line
      .slice(0, MAX_LINE)
      .trim()
      .split(/[\s'"]+/)
      .filter((word) => word !== ''),
  );
  return [0, -1].some((place) => {
    const paths = words.map((of) => of.at(place) ?? '').filter(isPath);
    return new Set(paths.map((path) => path.replace(/\d{1,40}/g, '#'))).size >= lines.length * MIN_DIFFERENT;
  });
}

/** A folder or an ending tells a path from a word; addresses are none. */
function isPath(word: string): boolean {
  return /[A-Za-z]/.test(word) && /[/\\]|\.[A-Za-z]\w{0,9}$/.test(word) && !word.includes('://');
}
