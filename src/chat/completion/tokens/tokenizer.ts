import { type Outage } from '../../../common/logging/outage.js';
import { o200k, type TokenLibrary } from './o200k.js';
import { lastTokenBoundary, splitLongRuns } from './token-boundary.js';

/** A long text is counted in windows: one takes about 1 ms. */
const WINDOW_CHARS = 8192;

/** Time slice of counting in the event loop, before others get a turn. */
const SLICE_MS = 5;

/** Text such as `<|endoftext|>` in a prompt is text; by default the library throws on it. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Of a text whose tokens cannot be counted; what holds for English, and comes close for most else. */
const BYTES_PER_TOKEN = 4;

/**
 * Tokens of o200k, the vocabulary of the format's current models; for other models it is a close estimate. No answer fails
 * for want of the vocabulary: while it cannot be loaded, all is estimated by its length.
 */
export class Tokenizer {
  private slices: Promise<unknown> = Promise.resolve();

  /** @param outage hears of each try to load */
  constructor(
    private readonly outage?: Pick<Outage, 'failed' | 'succeeded'>,
    private readonly load: () => TokenLibrary = o200k,
  ) {}

  /** Counts the tokens of a short text, at once. */
  countNow(text: string): number {
    const tokensOf = this.counter();
    return splitLongRuns(text).reduce((total, part) => total + tokensOf(part), 0);
  }

  /** The beginning of a short text that its first `maxTokens` tokens make up, without a character cut in half. */
  prefix(text: string, maxTokens: number): string {
    const bytes = Buffer.from(text);
    let end = this.prefixBytes(text, maxTokens);
    while (isContinuation(bytes[end])) {
      end--;
    }
    return bytes.toString('utf8', 0, end);
  }

  /**
   * Counts the tokens of a text of any length without holding the event loop.
   * @param exactUpTo beyond so many tokens the rest is estimated from what was counted, since all that matters
   *   then is that it is too much; no bound by default
   * @throws the signal's reason once it is aborted
   */
  async count(text: string, signal?: AbortSignal, exactUpTo = Infinity): Promise<number> {
    const tokensOf = this.counter();
    let total = 0;
    if (text.length > WINDOW_CHARS) {
      await this.nextSlice();
    }
    let sliceEnd = performance.now() + SLICE_MS;
    for (let start = 0; start < text.length;) {
      const window = windowAt(text, start);
      for (const part of splitLongRuns(window)) {
        total += tokensOf(part);
        if (performance.now() >= sliceEnd) {
          await this.nextSlice();
          signal?.throwIfAborted();
          sliceEnd = performance.now() + SLICE_MS;
        }
      }
      start += window.length;
      if (total > exactUpTo) {
        return Math.round((total / start) * text.length);
      }
    }
    return total;
  }

  private prefixBytes(text: string, maxTokens: number): number {
    const library = this.library();
    if (library === undefined) {
      return maxTokens * BYTES_PER_TOKEN;
    }
    const { encoding, vocabulary } = library;
    // Not by the library's `decode`: half a character that one call leaves over comes out at the next call.
    const tokens = splitLongRuns(text).flatMap((part) => encoding.encode(part, AS_TEXT));
    return tokens.slice(0, maxTokens).reduce((total, token) => total + bytesOf(vocabulary[token]), 0);
  }

  private counter(): (part: string) => number {
    const library = this.library();
    return library ? (part) => library.encoding.countTokens(part, AS_TEXT) : estimateTokens;
  }

  private library(): TokenLibrary | undefined {
    try {
      const library = this.load();
      this.outage?.succeeded();
      return library;
    } catch (error) {
      this.outage?.failed(error);
      return undefined;
    }
  }

  /** One slice a turn of the event loop, however many texts are counted: others wait for one, not for all. */
  private nextSlice(): Promise<unknown> {
    this.slices = this.slices.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.slices;
  }
}

/** The next piece of a long text, up to where a cut changes no token, if there is such a place. */
function windowAt(text: string, start: number): string {
  const window = text.slice(start, start + WINDOW_CHARS);
  if (start + WINDOW_CHARS >= text.length) {
    return window;
  }
  const boundary = lastTokenBoundary(window);
  return boundary > 0 ? window.slice(0, boundary) : window;
}

/** Tokens of a text by its length alone, at no cost; rather too few than too many. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** @param value of the vocabulary: a token as text, or as bytes where it is none */
function bytesOf(value: string | readonly number[] = ''): number {
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length;
}

/** Whether a byte of UTF-8 goes on with the character before it. */
function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
