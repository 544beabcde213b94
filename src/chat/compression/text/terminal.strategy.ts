import { gap } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';

const ESCAPE = 0x1b;
const BELL = 0x07;

/** Longest escape sequence in characters; an unterminated one is text beyond that. */
const MAX_SEQUENCE = 2000;

/**
 * The text that a terminal would show: without colours and cursor moves; of a progress bar, only the last state and
 * the number of earlier ones. Parts of a line between carriage returns that are no progress become lines.
 */
export const terminalStrategy: Strategy = {
  rule: 'terminal',
  condense: (text) => {
    const plain = text.includes('\x1b') ? withoutEscapes(text) : text;
    const single = plain.includes('\b') ? withoutOverstrikes(plain) : plain;
    const shown = single.includes('\r') ? single.split('\n').map(lastWritten).join('\n') : single;
    return shown === text ? undefined : shown;
  },
};

function withoutEscapes(text: string): string {
  const parts: string[] = [];
  let start = 0;
  for (let at = text.indexOf('\x1b'); at >= 0; at = text.indexOf('\x1b', start)) {
    parts.push(text.slice(start, at));
    start = sequenceEnd(text, at);
  }
  parts.push(text.slice(start));
  return parts.join('');
}

/** Exclusive end of the escape sequence at `at`. */
function sequenceEnd(text: string, at: number): number {
  const limit = Math.min(text.length, at + MAX_SEQUENCE);
  switch (text[at + 1]) {
    case '[':
      for (let i = at + 2; i < limit; i++) {
        const code = text.charCodeAt(i);
        if (code >= 0x40 && code <= 0x7e) {
          return i + 1;
        }
        if (code < 0x20) {
          return i;
        }
      }
      return Math.min(at + 2, text.length);
    case ']':
      for (let i = at + 2; i < limit; i++) {
        const code = text.charCodeAt(i);
        if (code === BELL) {
          return i + 1;
        }
        if (code === ESCAPE) {
          return text[i + 1] === '\\' ? i + 2 : i;
        }
      }
      return Math.min(at + 2, text.length);
    case '(':
    case ')':
      return Math.min(at + 3, text.length);
    case undefined:
      return at + 1;
    default:
      return at + 2;
  }
}

/** Removes overstrikes: `a\ba` is a bold `a` in manual pages. */
function withoutOverstrikes(text: string): string {
  return text.replace(/[^\n][\b]/g, '').replaceAll('\b', '');
}

function lastWritten(line: string): string {
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  const plain = line.slice(0, end);
  if (!plain.includes('\r')) {
    return plain;
  }
  const writings = plain.split('\r').filter((writing) => writing.trim() !== '');
  if (!isProgress(writings)) {
    return writings.join('\n');
  }
  const last = writings.pop() ?? '';
  // Equal states before the last one are not counted.
  const others = writings.filter((writing) => writing !== last).length;
  return others === 0 ? last : `${last} ${gap(others, 'progress updates')}`;
}

/** Different states that one progress may have, as a share of all its updates, and a number that is always allowed. */
const MAX_STATES = 0.5;
const FEW_STATES = 6;

/** Whether the parts of an overwritten line are states of one progress, which differ mostly in numbers. */
function isProgress(writings: readonly string[]): boolean {
  const states = new Set(writings.map((writing) => writing.replace(/[^\p{L}]+/gu, ' ').trim()));
  return states.size <= Math.max(FEW_STATES, writings.length * MAX_STATES);
}
