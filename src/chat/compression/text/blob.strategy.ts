import { gap } from '../kit/gap.js';
import { type Strategy } from '../kit/strategy.js';

/** Length in characters below which a run may be a hash, a token or a signature, and stays whole. */
const MIN_RUN = 256;

/** Characters that are kept of a run; they tell the format. */
const HEAD = 24;

/** Number of equally long lines from which on they are an encoded file. */
const MIN_BLOCK_LINES = 6;

/** Binary and encoded content: long runs of base64 or hexadecimal digits, and bytes that are no text. */
export const blobStrategy: Strategy = {
  rule: 'blob',
  condense: (text) => {
    const plain = withoutBinary(text);
    const lines = withoutBlocks(plain);
    const short = withoutRuns(lines);
    return short === text ? undefined : short;
  },
};

/** 1 for characters of base64 and its URL-safe variant. */
const CODES = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

function withoutRuns(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    if (CODES[text.charCodeAt(i)] !== 1) {
      continue;
    }
    // A signed token (JWT) is never cut, however long.
    if (text.startsWith('eyJ', i)) {
      i = tokenEnd(text, i);
      continue;
    }
    const end = runEnd(text, i);
    if (end - i >= MIN_RUN && isEncoded(text, i, end)) {
      const kind = isHex(text.slice(i, Math.min(end, i + MIN_RUN)))
        ? 'hexadecimal digits'
        : 'base64 characters';
      parts.push(text.slice(from, i + HEAD), gap(end - i - HEAD, kind));
      from = end;
    }
    i = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

/** Exclusive end of a signed token: header, payload and signature with dots between them. */
function tokenEnd(text: string, start: number): number {
  let i = start;
  while (CODES[text.charCodeAt(i)] === 1 || text[i] === '.') {
    i++;
  }
  return i;
}

/** Exclusive end of a run; an escaped line break (`\n` in a JSON text) does not end it. */
function runEnd(text: string, start: number): number {
  let i = start;
  for (;;) {
    if (CODES[text.charCodeAt(i)] === 1) {
      i++;
    } else if (text[i] === '\\' && text[i + 1] === 'n' && CODES[text.charCodeAt(i + 2)] === 1) {
      i += 2;
    } else {
      return i;
    }
  }
}

/** Whether a run is encoded: hexadecimal, or digits, capitals and small letters mixed. Paths and rulers are not. */
function isEncoded(text: string, start: number, end: number): boolean {
  const sample = text.slice(start, Math.min(end, start + 1000));
  if (isHex(sample)) {
    return true;
  }
  const count = (pattern: RegExp): number => sample.match(pattern)?.length ?? 0;
  const isMixed = count(/[0-9]/g) >= 8 && count(/[A-Z]/g) >= 20 && count(/[a-z]/g) >= 20;
  return (isMixed || isRepeated(sample)) && count(/[-_/]/g) < sample.length * 0.12;
}

/** Whether a run is mostly zero bytes, which base64 encodes as a long run of `A`. */
function isRepeated(sample: string): boolean {
  return /^[A-Za-z0-9+/]{0,64}A{128}/.test(sample);
}

function isHex(sample: string): boolean {
  return /^[0-9a-fA-F]+$/.test(sample) && /[0-9]/.test(sample) && new Set(sample).size > 6;
}

/** Cuts blocks of equally long lines of base64. */
function withoutBlocks(text: string): string {
  if (text.length < MIN_RUN) {
    return text;
  }
  const lines = text.split('\n');
  const kept: string[] = [];
  for (let i = 0; i < lines.length;) {
    const end = blockEnd(lines, i);
    if (end - i < MIN_BLOCK_LINES) {
      kept.push(lines[i] ?? '');
      i++;
      continue;
    }
    const size = lines.slice(i + 1, end).reduce((sum, line) => sum + line.length, 0);
    kept.push(lines[i] ?? '', `[… ${end - i - 1} lines of base64, ${size} characters, omitted]`);
    i = end;
  }
  return kept.length === lines.length ? text : kept.join('\n');
}

function blockEnd(lines: readonly string[], start: number): number {
  const length = lines[start]?.length ?? 0;
  if (length < 56 || length > 80) {
    return start;
  }
  let end = start;
  while (lines[end]?.length === length && isBase64Line(lines[end] ?? '')) {
    end++;
  }
  return end > start &&
    end < lines.length &&
    isBase64Line(lines[end] ?? '') &&
    (lines[end] ?? '').length < length
    ? end + 1
    : end;
}

function isBase64Line(line: string): boolean {
  return /^[A-Za-z0-9+/]{4,80}={0,2}$/.test(line) && (/[0-9+/]/.test(line) || line.length < 20);
}

/** Cuts binary lines down to their readable parts. */
function withoutBinary(text: string): string {
  if (countBinary(text, 1) === 0) {
    return text;
  }
  const kept: string[] = [];
  let omitted = 0;
  const flush = (): void => {
    if (omitted > 0) {
      kept.push(gap(omitted, 'binary characters'));
      omitted = 0;
    }
  };
  for (const line of text.split('\n')) {
    const binary = countBinary(line, Infinity);
    if (binary <= 3 || binary < line.length * 0.05) {
      flush();
      kept.push(line);
      continue;
    }
    // The first letters identify the format (`ELF`, `PNG`).
    const start =
      kept.length === 0 && omitted === 0 ? /^.[\x20-\x7e]{2,8}/s.exec(line)?.[0].slice(1) : undefined;
    const readable = line.slice(start?.length ?? 0).match(/[\x20-\x7e]{8,200}/g) ?? [];
    const shown = [...(start === undefined ? [] : [start]), ...readable.slice(0, 6)].join(' ');
    omitted += line.length - shown.length;
    if (shown !== '') {
      kept.push(shown);
    }
  }
  flush();
  return kept.join('\n');
}

/**
 * Number of control characters and replacement characters, which stand for invalid UTF-8; line ends, tabs and escapes
 * do not count.
 * @param most count at which to stop
 */
function countBinary(text: string, most: number): number {
  let count = 0;
  for (let i = 0; i < text.length && count < most; i++) {
    const code = text.charCodeAt(i);
    count += (code < 0x20 && (code < 0x09 || code > 0x0d) && code !== 0x1b) || code === 0xfffd ? 1 : 0;
  }
  return count;
}
