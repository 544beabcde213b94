/** A part of the grammar. It reads what has arrived, and waits at each `yield` until there is more, or the end. */
export type Parsing<T> = Generator<undefined, T, undefined>;

/**
 * The answer's text as the grammar reads it: what has arrived and is not consumed yet, and a cursor. What is consumed
 * is forgotten, unless it is kept so that it can be given back as text.
 */
export class Input {
  /** What is visible; everything before the cursor is consumed. */
  text = '';
  at = 0;
  /** The part of the grammar that is run by itself, if one is: see `IncrementalParse`. */
  alone: Parsing<void> | undefined;
  private hasEnded = false;
  private isKeeping = false;
  private kept = '';
  private keptFrom = 0;
  /** How much more may be seen than is visible now. */
  private allowance = Infinity;
  private hidden = '';

  /** Nothing follows what is visible. */
  get isEnded(): boolean {
    return this.allowance === 0 || (this.hasEnded && this.hidden === '');
  }

  /** The end is that of what may be seen, not of the answer. */
  get isCapped(): boolean {
    return this.allowance === 0;
  }

  /** Adds what has arrived. Invalidates positions in `text`, but for the cursor. */
  push(piece: string): void {
    if (this.isKeeping) {
      this.kept += this.text.slice(this.keptFrom, this.at);
      this.keptFrom = 0;
    }
    const rest = this.at < this.text.length ? this.text.slice(this.at) : '';
    this.at = 0;
    if (this.allowance < piece.length) {
      this.text = rest + piece.slice(0, this.allowance);
      this.hidden += piece.slice(this.allowance);
      this.allowance = 0;
    } else {
      this.text = rest === '' ? piece : rest + piece;
      this.allowance -= piece.length;
    }
  }

  end(): void {
    this.hasEnded = true;
  }

  /** From here on what is consumed is kept, until `drop`. */
  keep(): void {
    this.isKeeping = true;
    this.kept = '';
    this.keptFrom = this.at;
  }

  /** What was kept so far. */
  peekKept(): string {
    return this.isKeeping ? this.kept + this.text.slice(this.keptFrom, this.at) : '';
  }

  /** What was kept so far; what follows is kept anew. */
  takeKept(): string {
    const kept = this.peekKept();
    this.kept = '';
    this.keptFrom = this.at;
    return kept;
  }

  /** What was kept is wanted no more. */
  drop(): void {
    this.isKeeping = false;
    this.kept = '';
  }

  /** Lets no more than so many characters be seen, as if the answer ended there; `uncap` shows the rest. */
  cap(length: number): void {
    const end = this.at + length;
    this.hidden = this.text.slice(end);
    this.text = this.text.slice(0, end);
    this.allowance = end - this.text.length;
  }

  uncap(): void {
    this.text += this.hidden;
    this.hidden = '';
    this.allowance = Infinity;
  }
}

/**
 * Runs a grammar while its input arrives. A part of it that reads much, such as a string, can be run by itself:
 * then going on does not wake all the parts around it, which would cost more than the reading.
 */
export class IncrementalParse {
  constructor(
    private readonly input: Input,
    private readonly grammar: Parsing<void>,
  ) {
    this.grammar.next();
  }

  /** Goes on after more input, or its end. */
  resume(): void {
    const { input } = this;
    if (input.alone) {
      try {
        if (!input.alone.next().done) {
          return;
        }
        input.alone = undefined;
      } catch (error) {
        input.alone = undefined;
        this.grammar.throw(error);
        return;
      }
    }
    this.grammar.next();
  }
}

/** Runs a part of a grammar by itself until it is done. */
export function* alone(input: Input, part: Parsing<void>): Parsing<void> {
  if (part.next().done) {
    return;
  }
  input.alone = part;
  while (input.alone) {
    yield;
  }
}

/** Waits until there is a character at the cursor. @returns its code, or -1 at the end */
export function* peek(input: Input): Parsing<number> {
  while (input.at >= input.text.length) {
    if (input.isEnded) {
      return -1;
    }
    yield;
  }
  return input.text.charCodeAt(input.at);
}

/** Consumes white space. @returns the code of the character that follows it, or -1 at the end */
export function* skipWhitespace(input: Input): Parsing<number> {
  for (;;) {
    const code = yield* peek(input);
    if (code < 0 || !isWhitespace(code)) {
      return code;
    }
    input.at++;
  }
}

/** Whether a literal stands at the cursor; waits no longer than what is there could be its beginning. */
export function* startsWith(input: Input, literal: string): Parsing<boolean> {
  for (;;) {
    if (input.text.startsWith(literal, input.at)) {
      return true;
    }
    if (input.isEnded || !literal.startsWith(input.text.slice(input.at, input.at + literal.length))) {
      return false;
    }
    yield;
  }
}

/** Whether the line ends so many characters behind the cursor. */
export function* endsLine(input: Input, offset: number): Parsing<boolean> {
  while (input.text.length - input.at <= offset && !input.isEnded) {
    yield;
  }
  const next = input.text.charAt(input.at + offset);
  return next === '' || next === '\n' || next === '\r';
}

/** Consumes the characters that a sticky pattern takes; of more than `max` characters, at least so many. */
export function* readRun(input: Input, pattern: RegExp, max = Infinity): Parsing<string> {
  let found = '';
  for (;;) {
    pattern.lastIndex = input.at;
    pattern.test(input.text);
    found += input.text.slice(input.at, pattern.lastIndex);
    input.at = pattern.lastIndex;
    if (input.at < input.text.length || input.isEnded || found.length >= max) {
      return found;
    }
    yield;
  }
}

/** The white space that models put around markup. */
export function isWhitespace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
