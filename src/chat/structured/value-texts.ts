import { getOrInsert } from '../../common/memory/get-or-insert.js';
import { canonicalJson } from '../tools/json/canonical-json.js';
import { CHARACTER_STEPS, MEMBER_STEPS, type StepBudget } from '../tools/schema/step-budget.js';

/** Steps for a character of an object or list that is written with its members sorted. */
const SORTED_CHARACTER_STEPS = 32;

/** Compares values by texts that are the same for equal values, so that they are looked up instead of compared in pairs. */
export class ValueTexts {
  private readonly texts = new WeakMap<object, string>();
  private readonly lists = new Map<readonly unknown[], ReadonlySet<string>>();

  constructor(private readonly budget: StepBudget) {}

  areEqual(value: unknown, other: unknown): boolean {
    return this.textOf(value) === this.textOf(other);
  }

  isListed(value: unknown, values: readonly unknown[]): boolean {
    const listed = getOrInsert(this.lists, values, () => new Set(values.map((one) => this.textOf(one))));
    return listed.has(this.textOf(value));
  }

  /** Indexes of the first two items that are equal; undefined if all differ. */
  firstRepeat(items: readonly unknown[]): readonly [number, number] | undefined {
    const firstIndexes = new Map<string, number>();
    for (const [index, item] of items.entries()) {
      const text = this.textOf(item);
      const first = firstIndexes.get(text);
      if (first !== undefined) {
        return [first, index];
      }
      firstIndexes.set(text, index);
    }
    return undefined;
  }

  private textOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) {
      const scalar = JSON.stringify(value);
      this.budget.spend(MEMBER_STEPS + scalar.length * CHARACTER_STEPS);
      return scalar;
    }
    const text = getOrInsert(this.texts, value, () => {
      const sorted = canonicalJson(value);
      this.budget.spend(sorted.length * SORTED_CHARACTER_STEPS);
      return sorted;
    });
    this.budget.spend(text.length);
    return text;
  }
}
