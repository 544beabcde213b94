import { countTokens, decode, encode, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * Text is counted in windows: merging is quadratic in the length of a run without white space, and a window
 * is what one slice of the event loop holds (1 to 10 ms).
 */
const WINDOW_CHARS = 8192;
const RUN_CHARS = 256;
const LONG_RUN = new RegExp(`\\S{${RUN_CHARS + 1}}|\\s{${RUN_CHARS + 1}}`);

/** How long counting may hold the event loop before others get a turn. */
const SLICE_MS = 5;

/** The merge cache holds this many words; the library's default of 100,000 costs tens of megabytes. */
setMergeCacheSize(20_000);

/** Text such as `<|endoftext|>` in a prompt is text; by default the library throws on it. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Tokens of o200k, the vocabulary of the format's current models; for other models it is a close estimate. */
export class Tokenizer {
  /** Tokens of a short text, at once. */
  encode(text: string): number[] {
    return pieces(text).flatMap((piece) => encode(piece, AS_TEXT));
  }

  decode(tokens: readonly number[]): string {
    return decode(tokens);
  }

  /** Counts the tokens of a text of any length without holding the event loop. */
  async count(text: string, signal?: AbortSignal): Promise<number> {
    let total = 0;
    let sliceEnd = performance.now() + SLICE_MS;
    for (let start = 0; start < text.length;) {
      const end = windowEnd(text, start);
      for (const piece of pieces(text.slice(start, end))) {
        total += countTokens(piece, AS_TEXT);
      }
      start = end;
      if (performance.now() >= sliceEnd) {
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        sliceEnd = performance.now() + SLICE_MS;
      }
    }
    return total;
  }
}

/** End of the window that begins at `start`: before the last space in it, so that words stay whole. */
function windowEnd(text: string, start: number): number {
  const end = start + WINDOW_CHARS;
  if (end >= text.length) {
    return text.length;
  }
  const space = text.lastIndexOf(' ', end);
  return space > start ? space : end;
}

/** The text as it is, or cut into short pieces where it has a run that would be slow to merge. */
function pieces(text: string): string[] {
  if (!LONG_RUN.test(text)) {
    return [text];
  }
  const cut: string[] = [];
  for (let start = 0; start < text.length; start += RUN_CHARS) {
    cut.push(text.slice(start, start + RUN_CHARS));
  }
  return cut;
}
