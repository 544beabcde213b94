import { indentOf } from '../kit/indent.js';
import { type LineKind } from './line-kinds.js';

/** Indexes of the lines above passed tests alone, which are indented below them: nothing else is to be told of a suite. */
export function passingHeadings(lines: readonly string[], kinds: readonly LineKind[]): Set<number> {
  const found = new Set<number>();
  if (!kinds.includes('passing')) {
    return found;
  }
  const isPassing = (line: number): boolean => kinds[line] === 'passing' || found.has(line);
  for (let line = lines.length - 2; line >= 0; line--) {
    if (kinds[line] !== 'plain' || !isPassing(line + 1)) {
      continue;
    }
    const indent = indentOf(lines[line]);
    let end = line + 1;
    while (end < lines.length && isPassing(end) && indentOf(lines[end]) > indent) {
      end++;
    }
    const isWhole = kinds[end] === 'blank' || indentOf(lines[end]) <= indent;
    if (end > line + 1 && isWhole) {
      found.add(line);
    }
  }
  return found;
}
