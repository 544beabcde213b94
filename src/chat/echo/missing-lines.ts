/** Whether an answer, which repeats lines of a result in their order, leaves out lines between them. */
export function leavesOutLines(answer: string, result: string): boolean {
  const lines = linesOf(result);
  const lastPlaces = new Map(lines.map((line, place) => [line, place]));
  let next = 0;
  let isFirst = true;
  for (const line of linesOf(answer)) {
    // What stands nowhere behind is no line of the result, such as a fence.
    if ((lastPlaces.get(line) ?? -1) >= next) {
      const place = lines.indexOf(line, next);
      if (place > next && !isFirst) {
        return true;
      }
      next = place + 1;
      isFirst = false;
    }
  }
  return false;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
