import { isLibraryFrame } from './line-kinds.js';

/** A frame of Python, below which the line of its source stands. */
const WITH_SOURCE = /^[ \t]{1,20}File "/;

/** Lines about frames within libraries: the frames, and what stands indented below them as their source. */
export function libraryLines(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  let below = -1;
  lines.forEach((line, index) => {
    if (isLibraryFrame(line)) {
      found.add(index);
      below = WITH_SOURCE.test(line.slice(0, 40)) ? line.search(/\S/) : -1;
    } else if (below >= 0 && line.search(/\S/) > below) {
      found.add(index);
    } else {
      below = -1;
    }
  });
  return found;
}
