import {
  BACKTICK,
  BULLETS,
  type CharacterSink,
  COLON,
  DASHES,
  isDigit,
  isHigh,
  isLow,
  isWhitespaceCode,
  KEPT,
  KINDS,
  NEWLINE,
  NUMBER_SEPARATORS,
  PIPE,
  PLUS,
  PREFIXES,
  RETURN,
  SPACE,
  TAB,
} from './characters.js';
import { EntityReader } from './entity-reader.js';
import { MAX_ENTITY, MAX_TAG } from './html-escapes.js';
import { LineNumber, MAX_DIGITS, MAX_WORD } from './line-number.js';
import { ReducedCodes } from './reduced-codes.js';
import { TagReader } from './tag-reader.js';
import { Unescaper } from './unescaper.js';

/** Stands for a list marker (`-`, `*`, `•`, …) at the beginning of a line. */
export const LIST_MARK = 1;
/** Stands for a `|` at the beginning of a line: a row of a table. */
export const TABLE_MARK = 2;
/** Stands for `1.` or `1)` at the beginning of a line: an item, or a line number. */
export const ORDERED_MARK = 3;
/** No letter or digit has a lower code than this. */
export const MARKS_END = 4;

/** Largest number of characters for one call of `push`. */
export const MAX_PUSH = 4096;
/**
 * Characters that a call may put out beyond its own: a word and a number that the call before held back, and a mark.
 */
const SPARE = MAX_WORD + MAX_DIGITS + MAX_ENTITY + MAX_TAG + 2;

/** Backticks that open a code fence. */
const FENCE_TICKS = 3;

/** State of the reader in front of a line's text, where a number may be that of the line. */
type NumberPlace = 'word' | 'number' | 'space' | 'colon' | 'ordered';
/** State of the reader within a line. */
type Place = 'start' | NumberPlace | 'dash' | 'plus' | 'plusSpace' | 'fence' | 'info' | 'middle';

/**
 * Reduces a text to its letters and digits, in one pass and in pieces of any size, so that two texts that differ in
 * layout only become equal: white space, punctuation, code fences and their language, quote prefixes, line numbers
 * (`12:`, `L12:`, `[12]`, `12 |`, `12→`, a tab, or mere space where they count up), the escapes of strings and of
 * HTML, tags without attributes, accents and a terminal's colours are removed. Case is kept. Commas stay, and list markers
 * and the beginnings of table rows stay as marks: a list that was made of a text is no repetition of it.
 *
 * After a call of `push` or `end`, the first `count` entries of `codes`, `offsets` and `places` are the output of that call.
 */
export class Reducer extends ReducedCodes implements CharacterSink {
  private place: Place = 'start';
  private readonly tags = new TagReader(this);
  private readonly entities = new EntityReader(this.tags);
  private readonly unescaper = new Unescaper(this.entities);
  private ticks = 0;
  private readonly number = new LineNumber();
  private taken = 0;

  constructor() {
    super(MAX_PUSH + SPARE);
  }

  /**
   * Reduces a piece of the text.
   * @param end exclusive; at most `MAX_PUSH` behind `start`
   */
  push(text: string, start: number, end: number): void {
    const shift = this.taken - start;
    this.count = 0;
    for (let i = start; i < end; i++) {
      if (this.place === 'middle' && !this.isWithinEscape()) {
        i = this.skipMiddle(text, i, end, shift);
        if (i === end) {
          break;
        }
      }
      this.unescaper.push(text.charCodeAt(i), i + shift);
    }
    this.taken += end - start;
    this.given += this.count;
  }

  private isWithinEscape(): boolean {
    return this.unescaper.isWithin || this.entities.isWithin || this.tags.isWithin;
  }

  /** Ends the text and puts out the characters that were held back. */
  end(): void {
    this.count = 0;
    this.entities.end();
    this.tags.end();
    this.settleNumber();
    this.given += this.count;
    this.endLine();
  }

  /** Takes the next character, after escapes were decoded. */
  take(code: number, at: number): void {
    switch (this.place) {
      case 'start':
        if (isDigit(code)) {
          this.place = 'number';
          this.number.begin(code, at);
        } else {
          this.takeFirst(code, at);
        }
        break;
      case 'word':
        this.takeWord(code, at);
        break;
      case 'number':
      case 'space':
      case 'colon':
      case 'ordered':
        this.takeNumber(code, at);
        break;
      case 'dash':
        if (code === SPACE || code === TAB) {
          this.emit(LIST_MARK, at - 1);
        }
        this.takeMiddle(code, at);
        break;
      case 'plus':
      case 'plusSpace':
        this.takePlus(code, at);
        break;
      case 'fence':
        this.takeFence(code, at);
        break;
      case 'info':
        // A second fence in the line makes it code within a line; its first word is lost.
        if (isWhitespaceCode(code) || code === BACKTICK) {
          this.takeMiddle(code, at);
        }
        break;
      case 'middle':
        this.takeMiddle(code, at);
    }
  }

  /** A character behind backticks at the beginning of a line. */
  private takeFence(code: number, at: number): void {
    if (code === BACKTICK) {
      this.ticks++;
    } else if (this.ticks >= FENCE_TICKS) {
      this.passFence(!isWhitespaceCode(code));
      this.place = 'info';
      this.take(code, at);
    } else {
      this.takeMiddle(code, at);
    }
  }

  /** The first character of a line that is neither a prefix nor part of a number. */
  private takeFirst(code: number, at: number): void {
    if (code === PLUS) {
      this.place = 'plus';
    } else if (DASHES.has(code)) {
      this.place = 'dash';
    } else if (code === PIPE) {
      this.emit(TABLE_MARK, at);
      this.place = 'middle';
    } else if (code === BACKTICK) {
      this.place = 'fence';
      this.ticks = 1;
    } else if (BULLETS.has(code)) {
      this.emit(LIST_MARK, at);
      this.place = 'middle';
    } else if (isHigh(code)) {
      this.keepHigh(code, at);
    } else if (isLow(code)) {
      // An emoji in front of a line makes it an item as well.
      if (!this.emitPair(code, at)) {
        this.emit(LIST_MARK, at);
      }
      this.place = 'middle';
    } else if (PREFIXES.has(code)) {
      this.indent(code);
    } else {
      if (this.number.addLetter(code, at)) {
        this.place = 'word';
      } else {
        this.takeMiddle(code, at);
      }
    }
  }

  /** A character behind a plus, which is an item's if one blank and no other mark follow; else it may be a patch's. */
  private takePlus(code: number, at: number): void {
    const isBlank = code === SPACE || code === TAB;
    if (this.place === 'plus' && code === SPACE) {
      this.place = 'plusSpace';
    } else if (isBlank || (this.place === 'plusSpace' && DASHES.has(code))) {
      this.place = isBlank ? 'start' : 'dash';
    } else {
      if (this.place === 'plusSpace') {
        this.emit(LIST_MARK, at - 1);
      }
      this.takeMiddle(code, at);
    }
  }

  /** A character behind letters that may stand before a line number. */
  private takeWord(code: number, at: number): void {
    if (isDigit(code) && this.number.isIntroduced) {
      this.place = 'number';
      this.number.begin(code, at);
    } else if (!(code === SPACE && this.number.isIntroduced) && !this.number.addLetter(code, at)) {
      this.emitNumber();
      this.takeMiddle(code, at);
    }
  }

  private takeNumber(code: number, at: number): void {
    if (this.place === 'colon' && isDigit(code)) {
      // "12:25" is a time.
      this.emitNumber();
      this.takeMiddle(code, at);
    } else if (this.place === 'colon') {
      this.number.forget();
      this.place = 'start';
      this.take(code, at);
    } else if (this.place === 'ordered') {
      if (isWhitespaceCode(code)) {
        this.number.forget();
        this.emit(ORDERED_MARK, this.number.at);
        this.place = 'start';
        this.take(code, at);
      } else {
        this.emitNumber();
        this.takeMiddle(code, at);
      }
    } else if (code === COLON) {
      this.place = 'colon';
    } else if (NUMBER_SEPARATORS.has(code)) {
      this.number.forget();
      this.place = 'start';
    } else if (code === SPACE) {
      this.place = 'space';
    } else if (this.place === 'number' && isDigit(code) && !this.number.isFull) {
      this.number.add(code);
    } else if (this.place === 'number' && (code === 0x2e || code === 0x29)) {
      this.place = 'ordered';
    } else if (this.place === 'number' && !isWhitespaceCode(code)) {
      this.emitNumber();
      this.takeMiddle(code, at);
    } else {
      const isLineNumber = this.settleNumber();
      if (isLineNumber) {
        this.place = 'start';
        this.take(code, at);
      } else {
        this.takeMiddle(code, at);
      }
    }
  }

  private takeMiddle(code: number, at: number): void {
    this.place = 'middle';
    if (code === NEWLINE || code === RETURN) {
      this.endLine();
      this.number.endLine();
      this.place = 'start';
    } else if (isHigh(code)) {
      this.keepHigh(code, at);
    } else if (isLow(code)) {
      this.emitPair(code, at);
    } else if (KINDS[code] === KEPT) {
      this.emit(code, at);
    }
  }

  /**
   * Decides about a number that only space separates from the text.
   * @returns whether it was a line number
   */
  private settleNumber(): boolean {
    const { isNext } = this.number;
    if (isNext) {
      this.number.forget();
    } else {
      this.emitNumber();
    }
    return isNext;
  }

  private emitNumber(): void {
    const { word, wordLength, wordAt, digits, length, at } = this.number;
    word.subarray(0, wordLength).forEach((code, index) => this.emit(code, wordAt + index));
    digits.subarray(0, length).forEach((code, index) => this.emit(code, at + index));
    this.number.forget();
  }
}
