/** Lines that are looked at to tell what a text is. */
const SAMPLE_LINES = 400;

/** Longest beginning of a line that is looked at. */
const SAMPLE_CHARS = 400;

/**
 * Beginnings of a text's lines that are not blank: all of a short text, else evenly taken from all of it, so that
 * neither a heading nor an ending decides what a text is.
 */
export function sampleLines(text: string): string[] {
  const lines: string[] = [];
  const step = Math.max(1, Math.floor(countLines(text) / SAMPLE_LINES));
  let number = 0;
  for (let start = 0; start < text.length; number++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (number % step === 0) {
      const line = text.slice(start, Math.min(end, start + SAMPLE_CHARS));
      if (line.trim() !== '') {
        lines.push(line);
      }
    }
    start = end + 1;
  }
  return lines;
}

export function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}

/** Share of lines for which a test holds, 0 to 1; 0 for no lines. */
export function shareOf(lines: readonly string[], test: (line: string) => boolean): number {
  return lines.length === 0 ? 0 : lines.filter(test).length / lines.length;
}
