import { quantity } from '../kit/gap.js';
import { inSequence } from '../kit/pattern-table.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';

const MIN_FINDINGS = 8;

/** Share of the lines that must be findings or headings of files. */
const MIN_SHARE = 0.6;

/**
 * A finding with its place: `src/a.ts(12,5): error …`, `src/a.c:12:5: warning: …`, `a.py:12:5: E501 …`,
 * `a.rb:12:5: C: …`. Linters print `12:5  error  …` below the name of the file.
 */
const INLINE = inSequence(
  [
    /^((?:[A-Za-z]:[\\/])?[^\s:()]{1,400})/,
    /(\(\d{1,7},\d{1,6}\)|:\d{1,7}(?::\d{1,6})?): {0,3}/,
    /((?:(?:fatal )?(?:error|warning|note|info)\b|[A-Z]{1,4}\d{2,5}:? |[CEFRW]: ).{0,4000})$/,
  ],
  'i',
);
const BELOW = /^ {1,8}(\d{1,7}:\d{1,6}) {1,8}((?:error|warning|info) {1,8}.{0,4000})$/i;

/**
 * Findings of compilers and linters: each message once, with all its places. Nothing is left out; other lines stay
 * between the findings where they stood.
 */
export const diagnosticsStrategy: Strategy = {
  rule: 'diagnostics',
  condense: (text) => {
    if (!mayBe(text, 0.3, (line) => INLINE.test(line) || BELOW.test(line))) {
      return undefined;
    }
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const findings = lines.filter((line) => INLINE.test(line) || BELOW.test(line)).length;
    const headings = lines.filter(
      (line, index) => BELOW.test(lines[index + 1] ?? '') && !BELOW.test(line),
    ).length;
    const isReport = findings >= MIN_FINDINGS && findings + headings >= lines.length * MIN_SHARE;
    return isReport ? new Findings(findings).render(lines) : undefined;
  },
};

class Findings {
  private readonly out: string[] = [];
  /** Those since the last line that is none. */
  private found: { readonly message: string; readonly place: string }[] = [];

  private readonly total: number;

  constructor(total: number) {
    this.total = total;
  }

  render(lines: readonly string[]): string {
    for (const line of lines) {
      const inline = INLINE.exec(line);
      const below = inline ? null : BELOW.exec(line);
      if (inline) {
        this.found.push({ message: inline[3] ?? '', place: `${inline[1] ?? ''}${inline[2] ?? ''}` });
      } else if (below) {
        this.found.push({ message: (below[2] ?? '').replace(/ {2,100}/g, '  '), place: below[1] ?? '' });
      } else {
        this.flush();
        this.out.push(line);
      }
    }
    this.flush();
    return [`[${quantity(this.total, 'findings')}, each message once with its places]`, ...this.out].join(
      '\n',
    );
  }

  private flush(): void {
    for (const [message, alike] of Map.groupBy(this.found, (finding) => finding.message)) {
      const count = alike.length > 3 ? ` (${alike.length})` : '';
      const places = alike.map(({ place }) => place).join(' ');
      this.out.push(alike.length > 1 ? `${message}${count}: ${places}` : `${places}: ${message}`);
    }
    this.found = [];
  }
}
