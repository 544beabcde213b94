/** Share of an answer that must stand in lines of the result for both to have one layout. */
const COMMON = 0.5;

/** Whether an answer, which repeats the words of a result, has the result's lines as well, blanks included. */
export function isLaidOutAlike(answer: string, result: string): boolean {
  const lines = new Set(linesOf(result));
  const common = linesOf(answer).filter((line) => lines.has(line));
  return common.join('').length >= COMMON * answer.length;
}

function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.trimEnd());
}
