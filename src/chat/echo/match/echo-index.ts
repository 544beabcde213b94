import { MAX_PUSH, Reducer } from '../reduce/reducer.js';

const { imul } = Math;

/** Length of an anchor in reduced characters: long enough to be rare, short enough to find a run early. */
export const ANCHOR = 12;
/** Distance between the anchors that are indexed, in reduced characters; a power of two. */
const STRIDE = 4;
/** Length in reduced characters from which on a text that a result contains includes an indexed anchor of it. */
export const DETECTABLE = ANCHOR + STRIDE - 1;

/** Bits of the filter for each bucket as a power of two. */
const FILTER_BITS = 4;
/** Bits in a word of the filter as a power of two. */
const WORD_BITS = 5;

/** Characters of results that are indexed. */
const MAX_INDEXED = 1024 * 1024;

/** Share of a result's reduced length in one line from which on it can be quoted as one line. */
const ONE_LINE_SHARE = 0.7;

/** Share of indented or empty lines from which on a text is a document. */
const DOCUMENT_SHARE = 0.1;

/** A tool result that an answer may repeat. */
export interface IndexedResult {
  /** Index in the request's `messages`. */
  readonly message: number;
  /** Text as the caller sent it. */
  readonly text: string;
  /** Text as it went upstream, if that differs. */
  readonly condensed?: string | undefined;
  /** Whether the user speaks of layout, so that an answer with another layout may be what he asks for. */
  readonly isLayoutAsked?: boolean;
  /** Whether he speaks of taking something out, so that an answer without some of the lines may be what he asks for. */
  readonly isRemovalAsked?: boolean;
}

/** One form of a result within the index. */
export interface IndexedText {
  readonly message: number;
  /** First index and exclusive end of its reduced characters in `codes`. */
  readonly start: number;
  readonly end: number;
  /** Whether most of it stands in one line. */
  readonly isOneLine: boolean;
  /**
   * Whether it is a file or an article, which has indented and empty lines, and no list of matches, paths or records.
   */
  readonly isDocument: boolean;
}

/**
 * Index of the tool results. All forms of all results, reduced, stand one after the other in an array, into which a
 * hash table of 12-character anchors leads. Takes 1 Mi characters of results, the newest first, and about 6 bytes for
 * each.
 */
export class EchoIndex {
  /** Reduced texts, each followed by a 0, which no reduced text contains. */
  readonly codes: Uint16Array;
  readonly texts: readonly IndexedText[];
  /** By bucket: number of its first anchor, which is its place / `STRIDE`, plus 1; 0 if there is none. */
  private readonly heads: Int32Array;
  /** By anchor: number of the next anchor in its bucket. */
  private readonly nexts: Int32Array;
  private readonly shift: number;
  /** Bloom filter of the anchors with two bits for each in one word, so that most other text is told by one look. */
  private readonly filter: Int32Array;

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
    this.filter = new Int32Array(1 << (bits + FILTER_BITS - WORD_BITS));
    // Filled backwards, so that a bucket begins with the newest result and its earliest place.
    for (const { start, end } of this.texts.toReversed()) {
      const first = Math.ceil(start / STRIDE);
      for (let anchor = Math.floor((end - ANCHOR) / STRIDE); anchor >= first; anchor--) {
        const hash = this.hashAt(anchor * STRIDE);
        const bucket = this.bucketOf(hash);
        this.mark(hash);
        this.nexts[anchor] = this.heads[bucket] as number;
        this.heads[bucket] = anchor + 1;
      }
    }
  }

  /** Whether an anchor may have this hash: true for one other hash in fifty at most. */
  mayHave(hash: number): boolean {
    const spread = spreadOf(hash);
    const bits = this.bitsOf(spread);
    return ((this.filter[this.wordOf(spread)] as number) & bits) === bits;
  }

  /**
   * Number of the first anchor that may have this hash, as computed by `rollHash`; 0 if there is none. `next` gives
   * further ones. Any of them may turn out to be other text, since hashes collide.
   */
  first(hash: number): number {
    return this.heads[this.bucketOf(hash)] as number;
  }

  next(anchor: number): number {
    return this.nexts[anchor - 1] as number;
  }

  /** Exclusive end of an anchor in `codes`. */
  endOf(anchor: number): number {
    return (anchor - 1) * STRIDE + ANCHOR;
  }

  /** The text that contains a place in `codes`. */
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
    return spreadOf(hash) >>> this.shift;
  }

  private wordOf(spread: number): number {
    return spread >>> (this.shift - FILTER_BITS + WORD_BITS);
  }

  /** The two bits of an anchor in its word, by the ten bits behind those of the word; a shift takes five of them. */
  private bitsOf(spread: number): number {
    const { shift } = this;
    return (1 << (spread >>> (shift - FILTER_BITS))) | (1 << (spread >>> (shift - FILTER_BITS - WORD_BITS)));
  }

  private mark(hash: number): void {
    const spread = spreadOf(hash);
    const word = this.wordOf(spread);
    this.filter[word] = (this.filter[word] as number) | this.bitsOf(spread);
  }
}

/** A hash whose first bits depend on all of its bits. */
function spreadOf(hash: number): number {
  return imul(hash, 0x9e3779b1);
}

const BASE = 0x01000193;
/** `BASE` to the power of `ANCHOR`, modulo 2³². */
const LEAVING = Array.from({ length: ANCHOR }, () => BASE).reduce((power, base) => imul(power, base));

/**
 * Rolling hash of the last 12 characters.
 * @param leaving the character 12 places before the coming one
 */
export function rollHash(hash: number, leaving: number, coming: number): number {
  return (imul(hash, BASE) - imul(leaving, LEAVING) + coming) | 0;
}

interface Form {
  readonly message: number;
  readonly text: string;
  readonly isDocument: boolean;
}

function newestForms(results: readonly IndexedResult[]): Form[] {
  const forms: Form[] = [];
  let room = MAX_INDEXED;
  for (const { message, text, condensed } of results.toReversed()) {
    const texts = condensed === undefined || condensed === text ? [text] : [condensed, text];
    if (isPage(text)) {
      texts.push(text.replaceAll(/<[^<>]*>/g, ' '));
    }
    // When lines are joined, what the reducer drops at the beginning of a line stands within one, and looks inserted.
    if (DROPPED_START.test(text)) {
      texts.push(text.replaceAll('\n', ' '));
    }
    for (const form of texts) {
      if (room > 0) {
        forms.push({ message, text: form.slice(0, room), isDocument: isDocument(text) });
        room -= form.length;
      }
    }
  }
  return forms;
}

function fill(codes: Uint16Array, forms: readonly Form[]): IndexedText[] {
  let end = 0;
  return forms.map(({ message, text, isDocument }) => {
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
    const indexed = { message, start, end, isOneLine, isDocument };
    end++;
    return indexed;
  });
}

/** A line number, but no time, or a fence with the language of its code. */
const DROPPED_START = /^[ \t>#(]*(?:\[?L?\d{1,7}(?:[\t |→\]]|:(?!\d))|`{3,}\w)/m;

/** Whether it is a page of HTML, of which an answer may repeat what a reader sees. */
function isPage(text: string): boolean {
  return /^\s*<(?:!doctype html|html)\b/i.test(text);
}

/** An indented or empty line; a number that is aligned on the right is the first cell of a record. */
const SET_LINE = /[ \t\n\r](?! *\d+ )/y;

function isDocument(text: string): boolean {
  let lines = 1;
  let set = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines++;
    SET_LINE.lastIndex = at + 1;
    if (SET_LINE.test(text)) {
      set++;
    }
  }
  return set >= DOCUMENT_SHARE * lines;
}
