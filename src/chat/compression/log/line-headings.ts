/** Number of a step in front of its lines. */
const STEP = /^(?:#\d{1,5}|\[[\w/. -]{1,40}\]|\d{1,5}[>:]) /;

/** Indentation of a line, and the branches of a tree in front of it. */
const DEPTH = /^[\s│├└─]{0,200}/;

/** Lines of a paragraph, within which its first line says what the others are about. */
const MAX_PARAGRAPH = 12;

/** The lines that say what others are about. */
export class LineHeadings {
  private readonly steps = new Map<string, number>();

  /** The nearest line above that is less deep, for each line. */
  private readonly parents: readonly (number | undefined)[];

  private readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.lines = lines;
    this.parents = parentsOf(lines);
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

  /** The line that a deeper one belongs to. */
  parent(line: number): number | undefined {
    return this.parents[line];
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

function parentsOf(lines: readonly string[]): (number | undefined)[] {
  const open: { readonly line: number; readonly depth: number }[] = [];
  return lines.map((text, line) => {
    const depth = text.trim() === '' ? 0 : (DEPTH.exec(text)?.[0].length ?? 0);
    while ((open.at(-1)?.depth ?? -1) >= depth) {
      open.pop();
    }
    const parent = open.at(-1)?.line;
    open.push({ line, depth });
    return parent;
  });
}
