/** Number of a step in front of its lines. */
const STEP = /^(?:#\d{1,5}|\[[\w/. -]{1,40}\]|\d{1,5}[>:]) /;

/** Lines of a paragraph, within which its first line says what the others are about. */
const MAX_PARAGRAPH = 12;

/** The lines that say what others are about. */
export class LineHeadings {
  private readonly steps = new Map<string, number>();

  private readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
    lines.forEach((line, index) => {
      const step = stepOf(line);
      if (step !== '' && !this.steps.has(step)) {
        this.steps.set(step, index);
      }
    });
  }

  /** The first line of a line's step, where lines begin with the number of theirs (`#12 `), and of its paragraph. */
  of(line: number): number[] {
    const step = this.steps.get(stepOf(this.lines[line]));
    return [step, this.paragraph(line)].filter((heading) => heading !== undefined);
  }

  private paragraph(line: number): number | undefined {
    for (let first = line; first > line - MAX_PARAGRAPH; first--) {
      if ((this.lines[first - 1] ?? '').trim() === '') {
        return first;
      }
    }
    return undefined;
  }
}

function stepOf(line = ''): string {
  return STEP.exec(line)?.[0] ?? '';
}
