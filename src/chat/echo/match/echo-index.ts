import { MAX_PUSH, Reducer } from '../reduce/reducer.js';

const { imul } = Math;

/** Length of an anchor, in reduced characters: long enough to be rare, short enough to find a run early. */
export const ANCHOR = 12;
/** Every how many characters of the results an anchor is indexed; a power of two. */
const STRIDE = 4;
/** Any text that shares this many reduced characters with a result shares an anchor of the index with it. */
export const DETECTABLE = ANCHOR + STRIDE - 1;

/** Characters of results that are indexed, 1 Mi. */
const MAX_INDEXED = 1024 * 1024;

/** A result of 70 % of its reduced length in one line can be quoted as one line. */
const ONE_LINE_SHARE = 0.7;

/** Share of lines that are indented or empty in a document. */
const DOCUMENT_SHARE = 0.1;

/** A tool result that an answer may repeat. */
export interface IndexedResult {
  /** Index in the request's `messages`. */
  readonly message: number;
  /** As the caller sent it. */
  readonly text: string;
  /** As it went upstream, if that differs. */
  readonly condensed?: string | undefined;
}

/** One form of a result within the index. */
export interface IndexedText {
  readonly message: number;
  /** Place of its first and behind its last reduced character in `codes`. */
  readonly start: number;
  readonly end: number;
  /** Whether most of it stands in one line. */
  readonly isOneLine: boolean;
  /** Whether it is a file or an article, with indented and empty lines, and no list of matches, paths or records. */
  readonly isDocument: boolean;
}

/**
 * Finds where in the tool results a stretch of an answer comes from. All forms of all results, reduced, stand in one
 * array one after the other; a hash table of 12-character anchors leads into it. Takes 1 Mi characters of results,
 * the newest first; about 5 bytes for each of them.
 */
export class EchoIndex {
  /** Reduced texts, each followed by a 0, which no reduced text contains. */
  readonly codes: Uint16Array;
  readonly texts: readonly IndexedText[];
  /** Bucket to the place of its first anchor / `STRIDE`, plus 1. */
  private readonly heads: Int32Array;
  /** From each anchor to the next of its bucket. */
  private readonly nexts: Int32Array;
  private readonly shift: number;

  /** @param results oldest first */
  constructor(results: readonly IndexedResult[]) {
    const forms = newestForms(results);
    this.codes = new Uint16Array(forms.reduce((sum, { text }) => sum + text.length + 1, 0));
    this.texts = fill(this.codes, forms);
    const anchors = Math.ceil((this.texts.at(-1)?.end ?? 0) / STRIDE);
    const bits = Math.max(4, Math.ceil(Math.log2(anchors + 1)));
    this.shift = 32 - bits;
    this.heads = new Int32Array(1 << bits);
    this.nexts = new Int32Array(anchors);
    // Backwards, so that a bucket begins with the newest result and its earliest place.
    for (const { start, end } of this.texts.toReversed()) {
      const first = Math.ceil(start / STRIDE);
      for (let anchor = Math.floor((end - ANCHOR) / STRIDE); anchor >= first; anchor--) {
        const bucket = this.bucketOf(this.hashAt(anchor * STRIDE));
        this.nexts[anchor] = this.heads[bucket] as number;
        this.heads[bucket] = anchor + 1;
      }
    }
  }

  /**
   * The first anchor that may have this hash, as `rollHash` makes it; 0 if there is none. Others follow by `next`;
   * any may turn out to be different text.
   */
  first(hash: number): number {
    return this.heads[this.bucketOf(hash)] as number;
  }

  next(anchor: number): number {
    return this.nexts[anchor - 1] as number;
  }

  /** Where in `codes` an anchor ends. */
  endOf(anchor: number): number {
    return (anchor - 1) * STRIDE + ANCHOR;
  }

  /** The text that a place is in. */
  textAt(place: number): IndexedText {
    let low = 0;
    let high = this.texts.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.texts[middle] as IndexedText).end < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return this.texts[low] as IndexedText;
  }

  private hashAt(place: number): number {
    let hash = 0;
    for (let i = place; i < place + ANCHOR; i++) {
      hash = rollHash(hash, 0, this.codes[i] as number);
    }
    return hash;
  }

  private bucketOf(hash: number): number {
    return imul(hash, 0x9e3779b1) >>> this.shift;
  }
}

const BASE = 0x01000193;
/** `BASE` to the power of `ANCHOR`, modulo 2³². */
const LEAVING = Array.from({ length: ANCHOR }, () => BASE).reduce((power, base) => imul(power, base));

/** The hash of the last 12 characters when one comes and the one 12 before it goes. */
export function rollHash(hash: number, leaving: number, coming: number): number {
  return (imul(hash, BASE) - imul(leaving, LEAVING) + coming) | 0;
}

interface Form {
  readonly message: number;
  readonly text: string;
}

function newestForms(results: readonly IndexedResult[]): Form[] {
  const forms: Form[] = [];
  let room = MAX_INDEXED;
  for (const { message, text, condensed } of results.toReversed()) {
    const texts = condensed === undefined || condensed === text ? [text] : [condensed, text];
    for (const form of texts) {
      if (room > 0) {
        forms.push({ message, text: form.slice(0, room) });
        room -= form.length;
      }
    }
  }
  return forms;
}

function fill(codes: Uint16Array, forms: readonly Form[]): IndexedText[] {
  let end = 0;
  return forms.map(({ message, text }) => {
    const reducer = new Reducer();
    const start = end;
    const take = (): void => {
      codes.set(reducer.codes.subarray(0, reducer.count), end);
      end += reducer.count;
    };
    for (let at = 0; at < text.length; at += MAX_PUSH) {
      reducer.push(text, at, Math.min(at + MAX_PUSH, text.length));
      take();
    }
    reducer.end();
    take();
    const isOneLine = reducer.longestLine >= ONE_LINE_SHARE * (end - start);
    const indexed = { message, start, end, isOneLine, isDocument: isDocument(text) };
    end++;
    return indexed;
  });
}

function isDocument(text: string): boolean {
  let lines = 1;
  let set = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines++;
    const next = text.charAt(at + 1);
    if (next === ' ' || next === '\t' || next === '\n' || next === '\r') {
      set++;
    }
  }
  return set >= DOCUMENT_SHARE * lines;
}
