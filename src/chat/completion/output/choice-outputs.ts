import { type ServerResponse } from 'node:http';
import { type FinishReason, type TokenUsage } from '../../../upstream/upstream-driver.js';
import { type Answer } from '../answer.js';
import { addUsage, type ChoicePlace } from './choice-place.js';
import { type CompletionOutput } from './completion-output.js';
import { type AnswerFormat, type OutputTimes, outputTimes } from './create-output.js';
import { EarlierChoice } from './earlier-choice.js';
import { JsonOutput } from './json-output.js';
import { StreamOutput } from './stream-output.js';

/** The JSON body of one answer, whose choices are those of the response so far. */
interface ChoicesBody {
  readonly choices: readonly object[];
}

/** One choice in the wire format of its endpoint, as if it were all of the response but for its place. */
export type ChoiceFormat = (
  place: ChoicePlace,
) => Pick<AnswerFormat, 'frames'> & { readonly toBody: (...whole: WholeAnswer) => ChoicesBody };

type WholeAnswer = [Answer, FinishReason, TokenUsage];

/** The outputs of the choices of one response, one after the other. */
export class ChoiceOutputs {
  private given = 0;
  private ended = 0;
  private usage: TokenUsage | undefined;
  private readonly earlier: object[] = [];
  private readonly json: JsonOutput | undefined;
  private readonly times: ReturnType<typeof outputTimes>;

  constructor(
    private readonly response: ServerResponse,
    private readonly wanted: { readonly count: number; readonly stream: boolean },
    private readonly formatOf: ChoiceFormat,
    settings: OutputTimes,
  ) {
    this.times = outputTimes(settings);
    if (!wanted.stream) {
      this.json = new JsonOutput(response, (...whole) => this.wholeBody(...whole), this.times);
    }
  }

  /** Whether all that were given out have come to the end of their answers: another may follow. */
  get areWhole(): boolean {
    return this.ended === this.given;
  }

  /** The output of the next choice. */
  next(): CompletionOutput {
    const { index, isLast } = this.place(this.given++);
    if (this.json) {
      return isLast ? this.json : new EarlierChoice(this.json, (...whole) => this.keep(index, whole));
    }
    const onWhole = isLast ? undefined : (usage: TokenUsage): void => this.end(usage);
    return new StreamOutput(this.response, this.formatOf(this.place(index)).frames(), {
      ...this.times,
      onWhole,
    });
  }

  private place(index: number): ChoicePlace {
    return { index, isLast: index === this.wanted.count - 1, usageBefore: this.usage };
  }

  private keep(index: number, whole: WholeAnswer): void {
    this.earlier.push(...this.formatOf(this.place(index)).toBody(...whole).choices);
    this.end(whole[2]);
  }

  private end(usage: TokenUsage): void {
    this.usage = addUsage(this.usage, usage);
    this.ended += 1;
  }

  private wholeBody(...whole: WholeAnswer): object {
    const last = this.formatOf(this.place(this.wanted.count - 1)).toBody(...whole);
    return { ...last, choices: [...this.earlier, ...last.choices] };
  }
}
