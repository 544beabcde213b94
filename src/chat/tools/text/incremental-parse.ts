import { type Input, type Parsing } from './input.js';

/** Runs a grammar over an input that arrives in pieces, to be resumed after each piece and after the end. */
export class IncrementalParse {
  constructor(
    private readonly input: Input,
    private readonly grammar: Parsing<void>,
  ) {
    this.grammar.next();
  }

  /** Continues where the grammar waits for input. */
  resume(): void {
    const { input } = this;
    if (input.detached) {
      try {
        if (!input.detached.next().done) {
          return;
        }
        input.detached = undefined;
      } catch (error) {
        input.detached = undefined;
        this.grammar.throw(error);
        return;
      }
    }
    this.grammar.next();
  }
}

/**
 * Runs a part of a grammar to its end. While it waits for input, `IncrementalParse` resumes that part directly: waking
 * a chain of nested generators for every piece of a long string would cost more than reading the string.
 */
export function* runDetached(input: Input, part: Parsing<void>): Parsing<void> {
  if (part.next().done) {
    return;
  }
  input.detached = part;
  while (input.detached) {
    yield;
  }
}
