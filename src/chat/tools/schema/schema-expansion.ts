import { isJsonObject, type JsonObject } from '../../../common/text/json-object.js';
import { type LocalReferences } from './local-references.js';
import { arrayOf } from './schema-keywords.js';
import { type StepBudget } from './step-budget.js';

/** Alternatives of one schema. A part that multiplies them further is ignored. */
const MAX_BRANCHES = 64;

/** Subschemas visited for one schema, and their nesting. They bound schemas that refer to each other endlessly. */
const MAX_VISITS = 1000;
const MAX_NESTING = 64;

/** Steps of visiting a subschema, and of noting one in an alternative, where it stays as long as the request. */
const VISIT_STEPS = 64;
const NOTE_STEPS = 4;

/**
 * Expands a schema into its alternatives (disjunctive normal form), each a list of schema objects that hold together.
 * What the budget has no steps left for restricts nothing.
 */
export class SchemaExpansion {
  private visits = 0;

  constructor(
    private readonly references: LocalReferences,
    private readonly steps: StepBudget,
  ) {}

  /** @param path the schemas that led here; one that recurs adds nothing */
  alternatives(part: unknown, path: readonly unknown[] = []): JsonObject[][] {
    const mayVisit = this.mayVisit(path);
    if (part === false || path.includes(part)) {
      return [];
    }
    if (!mayVisit || !isJsonObject(part)) {
      return [[]];
    }
    const below = [...path, part];
    let found: JsonObject[][] = [[part]];
    if (part.$ref !== undefined) {
      found = this.product(found, this.alternatives(this.references.resolve(part.$ref), below));
    }
    for (const each of arrayOf(part.allOf)) {
      if (this.visits > MAX_VISITS) {
        break;
      }
      found = this.product(found, this.alternatives(each, below));
    }
    for (const choice of [part.anyOf, part.oneOf]) {
      if (Array.isArray(choice) && choice.length > 0) {
        found = this.product(found, this.union(choice, below));
      }
    }
    return part.nullable === true ? [...found, [{ type: 'null' }]] : found;
  }

  private mayVisit(path: readonly unknown[]): boolean {
    return ++this.visits <= MAX_VISITS && path.length <= MAX_NESTING && this.steps.take(VISIT_STEPS);
  }

  private union(choice: readonly unknown[], path: readonly unknown[]): JsonObject[][] {
    const found: JsonObject[][] = [];
    for (const each of choice) {
      found.push(...this.alternatives(each, path));
      if (found.length > MAX_BRANCHES) {
        return [[]];
      }
    }
    return found;
  }

  private product(left: JsonObject[][], right: JsonObject[][]): JsonObject[][] {
    const isTooMuch = left.length * right.length > MAX_BRANCHES;
    const notes = isTooMuch ? 0 : right.length * parts(left) + left.length * parts(right);
    return isTooMuch || !this.steps.take(notes * NOTE_STEPS)
      ? left
      : left.flatMap((one) => right.map((other) => [...one, ...other]));
  }
}

function parts(alternatives: readonly (readonly JsonObject[])[]): number {
  return alternatives.reduce((sum, { length }) => sum + length, 0);
}
