/** Texts up to this length are looked at line by line. */
const WHOLE_CHARS = 20_000;

/** Lines that are looked at of a longer one. */
const SAMPLE_LINES = 400;

/** Longest beginning of a line that is looked at. */
const SAMPLE_CHARS = 400;

/**
 * Beginnings of a text's lines that are not blank: all of a short text, else taken evenly from all of it, so that
 * neither a heading nor an ending decides what a text is.
 */
export function sampleLines(text: string, most = SAMPLE_LINES): string[] {
  const lines: string[] = [];
  const stride = text.length <= WHOLE_CHARS ? 1 : text.length / most;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + SAMPLE_CHARS));
    if (line.trim() !== '') {
      lines.push(line);
    }
    // The first line that begins a stride further on, or else the next.
    const next = Math.max(end, Math.floor(start + stride) - 1);
    const before = next === end ? end : text.indexOf('\n', next);
    start = before < 0 ? text.length : before + 1;
  }
  return lines;
}

/** Share of lines for which a test holds, 0 to 1; 0 for no lines. */
export function shareOf(lines: readonly string[], test: (line: string) => boolean): number {
  return lines.length === 0 ? 0 : lines.filter(test).length / lines.length;
}

/** Lines enough for telling what a text is not. */
const GLANCE_LINES = 100;

/** Whether a glance at a text does not rule out that so many of its lines pass a test. */
export function mayBe(text: string, share: number, test: (line: string) => boolean): boolean {
  return shareOf(sampleLines(text, GLANCE_LINES), test) >= share;
}
