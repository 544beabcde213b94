import { COMMA, isDigit } from '../reduce/characters.js';
import { LINE_START } from '../reduce/reduced-codes.js';
import { MARKS_END, ORDERED_MARK, type Reducer } from '../reduce/reducer.js';
import { ANCHOR, DETECTABLE, type EchoIndex, rollHash } from './echo-index.js';
import {
  type Chain,
  chainUpTo,
  type EchoMatch,
  matchOf,
  matchOfWhole,
  reachOf,
  type Run,
  runFrom,
} from './echo-run.js';

/** Characters of the answer, layout included, above which a suspicion is given up. */
const MAX_SUSPECTED = 16_384;

/** Reduced characters of the answer that are kept: more than an echo needs; a power of two. */
const HISTORY = 1024;
const SLOTS = HISTORY - 1;
/** Candidates of a bucket that are compared with the answer. */
const MAX_CANDIDATES = 8;

/**
 * Compares the reduced text of an answer with the results. A run is an exact match, found by an anchor and extended
 * both ways. The lengths of runs add up, less a cost for the text between them, so that an echo with remarks is an
 * echo and remarks with quotes are not. Nothing adds up across a list marker or the beginning of a table row that the
 * result does not have.
 */
export class EchoMatcher {
  private readonly history = new Uint16Array(HISTORY);
  private readonly historyOffsets = new Int32Array(HISTORY);
  /** Number of reduced characters so far. */
  private position = 0;
  /** Hash of the 12 characters before position `hashedTo`. */
  private hash = 0;
  private hashedTo = 0;
  private lastMark = -1;
  /** Position before which no run begins. */
  private floor = 0;

  private run: Run | undefined;
  /** Place in the index with which the run must continue. */
  private place = 0;
  private chain: Chain | undefined;
  /** The last run that was too short to count. It stays suspected for a while, since a longer run may contain it. */
  private brokenStartOffset = 0;
  private brokenEnd = Number.NEGATIVE_INFINITY;
  /** An echo unless an edit follows. */
  private due: EchoMatch | undefined;
  private dueOffset = 0;
  /** Messages whose results are written back with changes. */
  private readonly edited = new Set<number>();

  constructor(private readonly index: EchoIndex) {}

  /**
   * Takes the characters of a reducer.
   * @returns the echo, if there is one now
   */
  push(reducer: Reducer): EchoMatch | undefined {
    let next = 0;
    while (next < reducer.count) {
      next = this.run === undefined ? this.seek(reducer, next) : this.follow(this.run, reducer, next);
      const match = this.run === undefined ? this.settled() : this.reached(this.run);
      if (match) {
        return match;
      }
    }
    return undefined;
  }

  /** The echo that a run is, unless it is awaited whether edits follow. */
  private reached(run: Run): EchoMatch | undefined {
    if (this.due && run.chainStartOffset > this.dueOffset) {
      return this.due;
    }
    if (this.position < run.goal) {
      return undefined;
    }
    this.due ??= matchOf(run, this.position);
    this.dueOffset = run.chainStartOffset;
    this.run = { ...run, goal: run.lastGoal };
    return this.position >= run.lastGoal ? this.due : undefined;
  }

  /** The echo that was awaited, if nothing can follow any more that belongs to it. */
  private settled(): EchoMatch | undefined {
    return this.chain && this.isSuspected(this.chain) ? undefined : this.due;
  }

  /**
   * Ends the text.
   * @returns the echo that was awaited
   */
  end(): EchoMatch | undefined {
    if (this.run) {
      this.endRun(this.run, this.position, LINE_START);
    }
    return this.due;
  }

  /**
   * Ends the text, which is all of the answer.
   * @returns the echo that was awaited, or that the answer is as a whole, although shorter than others
   */
  endAnswer(): EchoMatch | undefined {
    const due = this.end();
    const { chain } = this;
    return due ?? (chain && this.isSuspected(chain) ? matchOfWhole(chain, this.position) : undefined);
  }

  /** Offset in the answer from which on it may be part of an echo; infinite if no part of it may. */
  get suspectedFrom(): number {
    const { chain, run } = this;
    let from = Number.POSITIVE_INFINITY;
    if (run) {
      from = Math.min(run.startOffset, run.chainStartOffset);
    } else if (this.position - this.brokenEnd <= DETECTABLE) {
      from = this.brokenStartOffset;
    }
    return chain && this.isSuspected(chain) ? Math.min(from, chain.startOffset) : from;
  }

  /** Offset in the answer of the reduced character `count` places before the end; 0 if there are fewer. */
  offsetOfLast(count: number): number {
    return this.position < count ? 0 : (this.historyOffsets[(this.position - count) & SLOTS] as number);
  }

  /** Whether a chain may still be continued. */
  private isSuspected(chain: Chain): boolean {
    const gap = this.position - chain.end;
    return (
      gap <= reachOf(chain) + DETECTABLE &&
      (this.lastMark < chain.end || this.position - this.lastMark <= DETECTABLE) &&
      this.offsetOfLast(1) - chain.startOffset <= MAX_SUSPECTED
    );
  }

  /**
   * Takes characters until a run begins.
   * @returns the index of the next character
   */
  private seek({ codes, offsets, count }: Reducer, start: number): number {
    const { history, historyOffsets, index } = this;
    let at = this.position;
    let hash = this.hashBefore(at);
    let next = start;
    while (next < count && this.run === undefined) {
      const code = codes[next] as number;
      const slot = at & SLOTS;
      historyOffsets[slot] = offsets[next++] as number;
      // Slots that were not used yet hold 0.
      hash = rollHash(hash, history[(at - ANCHOR) & SLOTS] as number, code);
      history[slot] = code;
      if (code < MARKS_END) {
        this.lastMark = at;
      }
      at++;
      if (at >= ANCHOR && index.mayHave(hash)) {
        this.position = at;
        this.findRun(index.first(hash));
      }
    }
    this.position = at;
    this.hash = hash;
    this.hashedTo = at;
    return next;
  }

  /**
   * Takes characters until a run is over, or has reached its goal.
   * @returns the index of the next character
   */
  private follow(run: Run, { codes, offsets, places, count }: Reducer, start: number): number {
    const { history, historyOffsets } = this;
    const lastOffset = run.chainStartOffset + MAX_SUSPECTED;
    for (let next = start; next < count; next++) {
      const code = codes[next] as number;
      if (!this.goesOn(run, code)) {
        this.endRun(run, this.position, places[next] as number);
        return next;
      }
      const slot = this.position++ & SLOTS;
      history[slot] = code;
      historyOffsets[slot] = offsets[next] as number;
      if (this.position >= run.goal) {
        return next + 1;
      }
      if ((offsets[next] as number) > lastOffset) {
        this.stopAwaiting(run);
        return next + 1;
      }
    }
    return count;
  }

  /** Whether a run continues with a character; if so, moves on in the index. */
  private goesOn({ text }: Run, code: number): boolean {
    const { codes } = this.index;
    const known = codes[this.place] as number;
    if (known === code) {
      this.place++;
      return true;
    }
    if ((known < MARKS_END && known > 0) || known === COMMA) {
      // A list lost its markers, for example when its lines were joined, or cells that were parted by commas are so by tabs.
      if (codes[this.place + 1] === code) {
        this.place += 2;
        return true;
      }
      // Then its numbers are part of the line.
      if (known === ORDERED_MARK && isDigit(code)) {
        return true;
      }
    }
    // The lines of a document are no list items, so these are line numbers, or commas of an array of lines.
    return text.isDocument && (code === ORDERED_MARK || code === COMMA);
  }

  /** Decides about a run that holds back too much text: what is not an echo by now is none. */
  private stopAwaiting(run: Run): void {
    if (this.due) {
      this.run = { ...run, goal: this.position, lastGoal: this.position };
    } else {
      this.giveUp();
    }
  }

  /** Gives up a run that holds back too much text, and all before it. */
  private giveUp(): void {
    this.run = undefined;
    this.chain = undefined;
    this.due = undefined;
    this.floor = this.position;
  }

  /** Begins the longest run that ends with the last character, among the anchors of a bucket, if there is one. */
  private findRun(first: number): void {
    const at = this.position - 1;
    let length = ANCHOR - 1;
    let place = 0;
    for (let anchor = first, seen = 0; anchor !== 0 && seen < MAX_CANDIDATES; seen++) {
      const end = this.index.endOf(anchor);
      const found = this.matchedBefore(end, at);
      if (found > length) {
        length = found;
        place = end;
      }
      anchor = this.index.next(anchor);
    }
    if (length >= ANCHOR && !this.edited.has(this.index.textAt(place).message)) {
      const run = this.beginRun(at - length + 1, place - length);
      if (run.isEdited) {
        this.edited.add(run.text.message);
        this.giveUp();
      } else {
        this.place = place;
        this.run = this.due ? { ...run, goal: run.lastGoal } : run;
      }
    }
  }

  /** Number of characters up to `at` that equal those of the index before `end`. */
  private matchedBefore(end: number, at: number): number {
    const { history } = this;
    const { codes } = this.index;
    const max = Math.min(at + 1 - this.floor, HISTORY - 1, end);
    let length = 0;
    while (length < max && codes[end - 1 - length] === history[(at - length) & SLOTS]) {
      length++;
    }
    return length;
  }

  private beginRun(start: number, place: number): Run {
    // Text between the character before the run and the run belongs to the run: a bracket or a quote.
    const startOffset = start === 0 ? 0 : (this.historyOffsets[(start - 1) & SLOTS] as number) + 1;
    const chain = this.chain && this.isOver(this.chain, start, startOffset) ? undefined : this.chain;
    const foundOffset = this.offsetOfLast(1);
    return runFrom(chain, { start, startOffset, foundOffset, text: this.index.textAt(place) }, place);
  }

  /** Whether a run that begins at `start` is unrelated to the chain before it. */
  private isOver(chain: Chain, start: number, startOffset: number): boolean {
    return (
      start <= chain.start ||
      (this.lastMark >= chain.end && this.lastMark < start) ||
      startOffset - chain.startOffset > MAX_SUSPECTED
    );
  }

  /** @param at place of the first character that differs */
  private endRun(run: Run, end: number, at: number): void {
    if (end - run.start >= run.minLength) {
      this.chain = chainUpTo(run, end, this.place, at);
    } else {
      this.brokenStartOffset = run.startOffset;
      this.brokenEnd = end;
    }
    this.run = undefined;
  }

  /** Hash of the 12 characters before a position; it is not updated during a run. */
  private hashBefore(position: number): number {
    if (this.hashedTo === position) {
      return this.hash;
    }
    let hash = 0;
    for (let at = position - ANCHOR; at < position; at++) {
      hash = rollHash(hash, 0, this.history[at & SLOTS] as number);
    }
    return hash;
  }
}
