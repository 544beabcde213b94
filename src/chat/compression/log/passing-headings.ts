import { indentOf } from '../kit/indent.js';
import { type LineKind } from './line-kinds.js';

/** Heading of a part of pytest's report. */
const PART = /^={3,80} (.{1,200}?) ={3,80}[ \t\r]{0,4}$/;

/** Heading of what one test printed. */
const TEST = /^_{3,80} .{1,200} _{3,80}[ \t\r]{0,4}$/;

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

/**
 * Indexes of the headings below which pytest shows what a passed test printed (`-rA`, `-rP`). Those of failed tests
 * look alike, and stand under another heading.
 */
export function passedReports(lines: readonly string[]): number[] {
  let part = '';
  return lines.flatMap((line, index) => {
    const start = line.slice(0, 400);
    part = PART.exec(start)?.[1] ?? part;
    return part === 'PASSES' && TEST.test(start) ? [index] : [];
  });
}
