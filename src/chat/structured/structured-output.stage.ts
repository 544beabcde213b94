import { type FinishReason, type ToolCallDelta } from '../../upstream/upstream-driver.js';
import { type AnswerVerdict } from '../completion/guard.js';
import { type DeltaSink, type EndAnswer, Stage } from '../completion/stages/stage.js';
import { MalformedCallError, ParseError } from '../tools/text/parse-errors.js';
import { type OutputSchema } from './output-schema.js';
import { InvalidOutputError, OutputValueReader, type SentMembers } from './output-value-reader.js';
import { isRefusal } from './refusal.js';

const NO_VALUE = 'The answer holds no JSON value.';

/**
 * Characters read of candidates that turn out to be no value, all together: each opening bracket may begin one, which only
 * the end of the answer decides.
 */
const MAX_READ_IN_VAIN = 2 ** 20;

/** Why an answer is no structured output. */
export interface OutputProblem {
  /** The fault, in one sentence written for the model. */
  readonly detail: string;
  /** The answer so far. */
  readonly text: string;
}

export interface StructuredOutputOptions {
  readonly schema: OutputSchema;
  /** Members that an earlier answer to the request has brought. */
  readonly sent: SentMembers;
  /** Decides on an answer that does not conform; called at most once. */
  readonly onProblem: (problem: OutputProblem) => AnswerVerdict;
  readonly end: EndAnswer;
}

/**
 * Lets the one JSON value of an answer through, without the prose and the fence around it, mended and brought to its
 * schema. Holds back the member at hand, or the whole value where its members cannot be judged one by one. An answer
 * that calls a tool or refuses is passed on as it is; where the upstream does not tell a refusal from text, its words do.
 */
export class StructuredOutputStage extends Stage {
  private state: 'seeking' | 'reading' | 'passing' | 'over' = 'seeking';
  /** All text of the answer so far. */
  private answer = '';
  /** Offset of the value at hand. */
  private start = -1;
  private reader: OutputValueReader | undefined;
  private hasWritten = false;
  private readInVain = 0;
  /** Finds the first character of a value; a scalar has none that prose does not have, too. */
  private readonly opening: RegExp | undefined;

  constructor(
    next: DeltaSink,
    private readonly options: StructuredOutputOptions,
  ) {
    super(next);
    const { admitsObject, admitsArray } = options.schema;
    this.opening = admitsObject ? (admitsArray ? /[{[]/g : /\{/g) : admitsArray ? /\[/g : undefined;
  }

  override text(text: string): void {
    switch (this.state) {
      case 'passing':
        this.next.text(text);
        break;
      case 'over':
        break;
      case 'reading':
        this.answer += text;
        if (!this.attempt((reader) => reader.push(text))) {
          this.readNext();
        }
        break;
      case 'seeking': {
        const before = this.answer.length;
        this.answer += text;
        const at = this.nextOpening(text, 0);
        if (at >= 0) {
          this.readFrom(before + at);
        }
      }
    }
  }

  /** The model answers with no value, or with no more of it. */
  override refusal(text: string): void {
    this.giveUpValue();
    this.next.refusal(text);
  }

  override toolCall(delta: ToolCallDelta): void {
    this.giveUpValue();
    this.next.toolCall(delta);
  }

  override flush(reason?: FinishReason): void {
    if (this.state === 'over' && reason === 'length') {
      // Only the prose behind the value was cut.
      this.options.end('stop');
    }
    if (!this.isUndecided) {
      return;
    }
    if (reason === 'length' || reason === 'content_filter') {
      this.pass(this.rest);
      return;
    }
    while (this.state === 'reading' && !this.attempt((reader) => reader.end())) {
      this.readNext();
    }
    if (this.isUndecided) {
      this.endWithoutValue();
    }
  }

  private get isUndecided(): boolean {
    return this.state === 'seeking' || this.state === 'reading';
  }

  /** Part of the answer not let through yet, without the prose before its value. */
  private get rest(): string {
    return this.hasWritten ? (this.reader?.unsent ?? '') : this.answer.slice(Math.max(0, this.start));
  }

  private nextOpening(text: string, from: number): number {
    if (!this.opening) {
      return -1;
    }
    this.opening.lastIndex = from;
    return this.opening.exec(text)?.index ?? -1;
  }

  /** Reads on after a supposed value that is none. */
  private readNext(): void {
    this.readFrom(this.nextOpening(this.answer, this.start + 1));
  }

  /** Reads a value at the offset, or at the next opening if that is none. */
  private readFrom(offset: number): void {
    for (let start = offset; start >= 0; start = this.nextOpening(this.answer, start + 1)) {
      this.start = start;
      this.state = 'reading';
      this.reader = new OutputValueReader(this.options.schema, this.options.sent, (json) => {
        this.hasWritten = true;
        this.next.text(json);
      });
      if (this.attempt((reader) => reader.push(this.answer.slice(start)))) {
        return;
      }
    }
  }

  /** @returns whether a value has been found to begin where one was sought */
  private attempt(step: (reader: OutputValueReader) => void): boolean {
    const { reader } = this;
    try {
      if (reader) {
        step(reader);
      }
      if (reader?.isDone) {
        this.state = 'over';
      }
      return true;
    } catch (error) {
      if (!isUnusable(error)) {
        throw error;
      }
      if (reader?.hasBegun) {
        this.decide(problemOf(error));
        return true;
      }
      this.readInVain += reader?.readLength ?? 0;
      if (this.readInVain <= MAX_READ_IN_VAIN) {
        this.state = 'seeking';
        return false;
      }
      this.decide(NO_VALUE);
      return true;
    }
  }

  private endWithoutValue(): void {
    if (isRefusal(this.answer)) {
      this.state = 'over';
      this.next.refusal(this.answer.trim());
    } else if (!this.opening && this.start < 0 && this.answer.trim() !== '') {
      this.readFrom(0);
      this.attempt((reader) => reader.end());
    } else {
      this.decide(NO_VALUE);
    }
  }

  private decide(detail: string): void {
    if (this.options.onProblem({ detail, text: this.answer }) === 'pass') {
      this.giveUpValue();
    } else {
      this.state = 'over';
    }
  }

  /** Passes on what has not been yet, prose included where nothing has been, and everything that follows. */
  private giveUpValue(): void {
    if (this.isUndecided) {
      this.pass(this.hasWritten ? this.rest : this.answer);
    }
  }

  private pass(text: string): void {
    this.state = 'passing';
    if (text !== '') {
      this.next.text(text);
    }
  }
}

function problemOf(error: Error): string {
  if (error instanceof MalformedCallError && error.kind === 'cut') {
    return 'The JSON is cut off.';
  }
  return error.message === '' ? 'The JSON is unsound.' : error.message;
}

function isUnusable(error: unknown): error is Error {
  return error instanceof InvalidOutputError || error instanceof ParseError;
}
