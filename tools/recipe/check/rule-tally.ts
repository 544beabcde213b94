import {
  type ReadingRules,
  type RecordMeaning,
  RecordReader,
} from '../../../src/upstream/web/capture/reading/record-reader.js';
import { type AnswerRules } from '../../../src/upstream/web/recipe/capture-rules.js';

const NO_RULES: AnswerRules = { content: [], reasoning: [], done: [], error: [], bind: [] };
const KEPT_RECORDS = 3;

/** Number of records that fitted one rule of `capture.answer`. */
export interface RuleCount {
  /** Path of the rule in the recipe. */
  readonly path: string;
  readonly count: number;
}

interface Counter {
  readonly path: string;
  /** Literal record that the rule asks for, e.g. `[DONE]`. */
  readonly mark?: string | undefined;
  readonly fits: (data: string, event: string) => boolean;
  count: number;
}

/** Counts the records of an answer that fit each rule, independent of the other rules. */
export class RuleTally {
  /** The first records that no rule fitted. */
  readonly unused: string[] = [];
  /** The first records that are not JSON where they must be. */
  readonly unreadable: string[] = [];
  /** The first records that the driver passes over, e.g. as those of other conversations. */
  readonly passedOver: string[] = [];
  total = 0;
  private readonly counters: readonly Counter[];

  constructor(private readonly rules: ReadingRules) {
    const { content, reasoning, usage, done, error } = rules.answer;
    const hasText = ({ events }: RecordMeaning): boolean => events.length > 0;
    const isWholeText = rules.format === 'text' && content.length + reasoning.length === 0;
    this.counters = [
      ...(isWholeText ? [this.counter('capture.format', {}, hasText)] : []),
      ...content.map((rule, i) => this.counter(`capture.answer.content[${i}]`, { content: [rule] }, hasText)),
      ...reasoning.map((rule, i) =>
        this.counter(`capture.answer.reasoning[${i}]`, { reasoning: [rule] }, hasText),
      ),
      ...(usage ? [this.usageCounter(usage)] : []),
      ...done.map((rule, i) => ({
        ...this.counter(`capture.answer.done[${i}]`, { done: [rule] }, ({ isDone }) => isDone),
        mark: rule.data,
      })),
      ...error.map((rule, i) =>
        this.counter(`capture.answer.error[${i}]`, { error: [rule] }, ({ isError }) => isError),
      ),
    ];
  }

  get counts(): readonly RuleCount[] {
    return this.counters.map(({ path, count }) => ({ path, count }));
  }

  /** @param isOwn whether the driver reads it */
  take(data: string, event: string, isOwn: boolean): void {
    this.total++;
    if (!isOwn) {
      keep(this.isReadable(data) ? this.passedOver : this.unreadable, data);
      return;
    }
    let isUsed = false;
    // A mark is usually no JSON, so only the rules that name it may read it.
    const isMark = this.counters.some(({ mark }) => mark === data);
    try {
      for (const counter of this.counters.filter(({ mark }) => !isMark || mark === data)) {
        if (counter.fits(data, event)) {
          counter.count++;
          isUsed = true;
        }
      }
    } catch {
      keep(this.unreadable, data);
      return;
    }
    if (!isUsed) {
      keep(this.unused, data);
    }
  }

  /** Whether a record that the driver passes over is none for being no JSON. */
  private isReadable(data: string): boolean {
    const { format, prefix } = this.rules;
    if (format === 'text' || prefix !== undefined) {
      return true;
    }
    try {
      JSON.parse(data);
      return true;
    } catch {
      return false;
    }
  }

  private counter(
    path: string,
    answer: Partial<AnswerRules>,
    fits: (meaning: RecordMeaning) => boolean,
  ): Counter {
    const reader = this.reader(answer);
    return { path, count: 0, fits: (data, event) => fits(reader.read(data, event)) };
  }

  private usageCounter(usage: NonNullable<AnswerRules['usage']>): Counter {
    return {
      path: 'capture.answer.usage',
      count: 0,
      // A reader keeps the last usage, so each record needs a fresh one.
      fits: (data, event) => {
        const reader = this.reader({ usage });
        reader.read(data, event);
        return reader.finishEvents(true).some(({ type }) => type === 'usage');
      },
    };
  }

  /** A reader of these rules only. */
  private reader(answer: Partial<AnswerRules>): RecordReader {
    const { bind } = this.rules.answer;
    return new RecordReader({ ...this.rules, answer: { ...NO_RULES, bind, ...answer } });
  }
}

function keep(list: string[], data: string): void {
  if (list.length < KEPT_RECORDS) {
    list.push(data);
  }
}
