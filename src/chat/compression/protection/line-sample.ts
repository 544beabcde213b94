/** Length in characters up to which every line of a text is sampled. */
const WHOLE_CHARS = 20_000;

/** Lines that are sampled of a longer text. */
const SAMPLE_LINES = 400;

/** Characters that are kept of each sampled line. */
const SAMPLE_CHARS = 400;

/**
 * Samples the lines of a text that are not blank, cut to 400 characters: all lines of a short text, evenly spread
 * ones of a long text, so that neither its head nor its end decides alone.
 * @param most lines to sample of a long text, approximately
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
    // Go on with the first line that begins at least a stride behind the last one, or with the next line.
    const next = Math.max(end, Math.floor(start + stride) - 1);
    const before = next === end ? end : text.indexOf('\n', next);
    start = before < 0 ? text.length : before + 1;
  }
  return lines;
}

/** Share of the lines that pass a test, 0 to 1; 0 for no lines. */
export function shareOf(lines: readonly string[], test: (line: string) => boolean): number {
  return lines.length === 0 ? 0 : lines.filter(test).length / lines.length;
}

/** Sample size of the quick check. */
const GLANCE_LINES = 100;

/**
 * Quick check before a text is split into lines: whether at least this share of a small sample passes a test.
 * @param share 0 to 1
 */
export function mayBe(text: string, share: number, test: (line: string) => boolean): boolean {
  return shareOf(sampleLines(text, GLANCE_LINES), test) >= share;
}
