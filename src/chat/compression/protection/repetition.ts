import { templateOf } from '../kit/line-template.js';
import { sampleLines } from './line-sample.js';
import { beginAlike } from './source-looks.js';

/** Lines from which on the share of what comes again says something. */
const MIN_LINES = 100;

/** Share of the sequences of three words that came twice before, from which on no person has written a text. */
const MIN_AGAIN = 0.5;

/**
 * Whether a program has printed a text: most sequences of three words, numbers and paths aside, came before. In prose that
 * people write, every third one does at most. Code is generated as well, but not line for line.
 * @param isCode whether the text looks like code
 */
export function isPrinted(text: string, isCode: boolean): boolean {
  const lines = sampleLines(text);
  return lines.length >= MIN_LINES && repeatSequences(lines) && (!isCode || beginAlike(lines));
}

function repeatSequences(lines: readonly string[]): boolean {
  const counts = new Map<string, number>();
  let again = 0;
  let all = 0;
  for (const line of lines) {
    const words = ['^', '^', ...templateOf(line).split(' ')];
    for (let end = 2; end < words.length; end++) {
      const sequence = `${words[end - 2]} ${words[end - 1]} ${words[end]}`;
      const count = counts.get(sequence) ?? 0;
      again += count > 1 ? 1 : 0;
      all++;
      counts.set(sequence, count + 1);
    }
  }
  return again >= all * MIN_AGAIN;
}
