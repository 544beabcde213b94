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
/** `./a.go:12:5: unreachable code`. Matches of a search have this form, too, but do not repeat. */
const PLACED = inSequence([
  /^((?:[A-Za-z]:[\\/])?[^\s:()]{1,400})/,
  /(:\d{1,7}:\d{1,6}): /,
  /([^\s\d].{0,4000})$/,
]);
const MAX_DIFFERENT = 0.5;

const BELOW = /^ {1,8}(\d{1,7}:\d{1,6}) {1,8}((?:error|warning|info) {1,8}.{0,4000})$/i;

/**
 * Findings of compilers and linters: each message once, with all its places. Nothing is left out; other lines stay
 * between the findings where they stood.
 */
export const diagnosticsStrategy: Strategy = {
  rule: 'diagnostics',
  condense: (text) => condenseFindings(text, INLINE) ?? condenseFindings(text, PLACED, MAX_DIFFERENT),
};

/** @param maxDifferent share of the findings that may have messages of their own */
function condenseFindings(text: string, inline: RegExp, maxDifferent = 1): string | undefined {
  if (!mayBe(text, 0.3, (line) => inline.test(line) || BELOW.test(line))) {
    return undefined;
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const found = lines.map((line) => readFinding(line, inline)).filter((finding) => finding !== undefined);
  const headings = lines.filter(
    (line, index) => BELOW.test(lines[index + 1] ?? '') && !BELOW.test(line),
  ).length;
  const isReport = found.length >= MIN_FINDINGS && found.length + headings >= lines.length * MIN_SHARE;
  const messages = new Set(found.map(({ message }) => message)).size;
  return isReport && messages <= found.length * maxDifferent
    ? new Findings(found.length, inline).render(lines)
    : undefined;
}

interface Finding {
  readonly message: string;
  readonly place: string;
}

function readFinding(line: string, inline: RegExp): Finding | undefined {
  const [, path = '', at = '', message = ''] = inline.exec(line) ?? [];
  if (message !== '') {
    return { message, place: `${path}${at}` };
  }
  const [, place = '', below = ''] = BELOW.exec(line) ?? [];
  return below === '' ? undefined : { message: below.replace(/ {2,100}/g, '  '), place };
}

class Findings {
  private readonly out: string[] = [];
  /** Those since the last line that is none. */
  private found: Finding[] = [];

  private readonly total: number;
  private readonly inline: RegExp;

  constructor(total: number, inline: RegExp) {
    this.total = total;
    this.inline = inline;
  }

  render(lines: readonly string[]): string {
    for (const line of lines) {
      const finding = readFinding(line, this.inline);
      if (finding) {
        this.found.push(finding);
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
