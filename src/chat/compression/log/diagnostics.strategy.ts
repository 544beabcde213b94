import { quantity } from '../kit/gap.js';
import { inSequence } from '../kit/pattern-table.js';
import { type Strategy } from '../kit/strategy.js';
import { mayBe } from '../protection/line-sample.js';
import { type Finding, FindingMessages } from './finding-messages.js';

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
  const read = lines.map((line) => readFinding(line, inline));
  const found = read.filter((finding) => finding !== undefined);
  const headings = lines.filter(
    (line, index) => BELOW.test(lines[index + 1] ?? '') && !BELOW.test(line),
  ).length;
  const isReport = found.length >= MIN_FINDINGS && found.length + headings >= lines.length * MIN_SHARE;
  const messages = new Set(found.map(({ message }) => message)).size;
  return isReport && messages <= found.length * maxDifferent ? render(lines, read) : undefined;
}

function readFinding(line: string, inline: RegExp): Finding | undefined {
  const [, path = '', at = '', message = ''] = inline.exec(line) ?? [];
  if (message !== '') {
    return { message, path, at };
  }
  const [, place = '', below = ''] = BELOW.exec(line) ?? [];
  return below === '' ? undefined : { message: below.replace(/ {2,100}/g, '  '), path: '', at: place };
}

/** @param found the finding of each line, undefined for other lines, which stay where they stood */
function render(lines: readonly string[], found: readonly (Finding | undefined)[]): string {
  const blocks: Finding[][] = [[]];
  found.forEach((finding) => (finding ? blocks.at(-1)?.push(finding) : blocks.push([])));
  const messages = new FindingMessages(blocks);
  const total = quantity(found.filter((finding) => finding).length, 'findings');
  const others = lines.filter((_, line) => !found[line]);
  return [
    `[${total}, each message once with its places]`,
    ...messages.legend,
    ...blocks.flatMap((block, at) => [...messages.lines(block), ...others.slice(at, at + 1)]),
  ].join('\n');
}
