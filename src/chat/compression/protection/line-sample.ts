/** Length in characters up to which every line of a text is sampled. */
const WHOLE_CHARS = 20_000;

/** Lines that are sampled of a longer text. */
const SAMPLE_LINES = 400;

/** Lines that are taken together of a longer text: of lines alone, those behind long ones would be met too often. */
const TOGETHER = 8;

/** Characters that are kept of each sampled line. */
const SAMPLE_CHARS = 400;

/**
 * Samples the lines of a text that are not blank, cut to 400 characters: all lines of a short text, evenly spread
 * ones of a long text, so that neither its head nor its end decides alone.
 * @param most lines to sample of a long text, approximately
 */
export function sampleLines(text: string, most = SAMPLE_LINES): string[] {
  const lines: string[] = [];
  const stride = text.length <= WHOLE_CHARS ? 0 : (TOGETHER * text.length) / most;
  let aim = 0;
  let taken = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + SAMPLE_CHARS));
    if (line.trim() !== '') {
      lines.push(line);
    }
    taken++;
    start = end + 1;
    if (taken % TOGETHER === 0) {
      aim = Math.max(aim + stride, start);
      start = aim === start ? start : text.lastIndexOf('\n', Math.floor(aim) - 1) + 1;
    }
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
