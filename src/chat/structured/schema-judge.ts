import { type Schema, type SchemaDraft } from '@cfworker/json-schema';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { PatternMatcher } from '../tools/schema/pattern-matcher.js';
import { arrayOf } from '../tools/schema/schema-keywords.js';
import { MEMBER_STEPS, StepBudget } from '../tools/schema/step-budget.js';
import { assertionFault, type Assertions, assertionsOf, assertionSteps } from './assertions.js';
import { namedRules } from './named-rules.js';
import { ValueTexts } from './value-texts.js';

/** Steps that the judging of all values of one schema may take. */
const MAX_STEPS = 2 ** 25;
/** Steps that it takes to look at a value by one part of a schema. */
const VISIT_STEPS = 350;
/** Steps that it takes to find that an item has no schema. */
const ITEM_STEPS = 4;

/** Where a value does not conform, and why in one sentence. */
export interface OutputFault {
  readonly path: readonly (string | number)[];
  readonly text: () => string;
}

/** Members and items that a schema has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
type Evaluated = Set<string | number>;

/**
 * Judges values by a JSON Schema. The library judges the assertions; what leads on from one part to the next is here,
 * since only so its steps can be counted: a caller chooses the schema and can choose the values, and together they could
 * keep the process busy for minutes.
 */
export class SchemaJudge {
  private readonly budget = new StepBudget(MAX_STEPS);
  private readonly texts = new ValueTexts(this.budget);
  private readonly patterns = new PatternMatcher();
  /** Patterns that were not tried: what does not break them may not meet them either. */
  private untried = 0;
  private readonly assertions = new Map<JsonObject, Assertions | undefined>();

  /** @param lookup parts of the schema by their absolute references */
  constructor(
    private readonly lookup: Readonly<Record<string, Schema | boolean | undefined>>,
    private readonly draft: SchemaDraft,
  ) {}

  /**
   * The first fault of a value; undefined if it conforms.
   * @throws RangeError if judging takes too many steps, or leads on and on
   */
  fault(value: unknown, schema: unknown): OutputFault | undefined {
    return this.visit(value, schema, new Set());
  }

  private visit(value: unknown, schema: unknown, evaluated: Evaluated): OutputFault | undefined {
    this.budget.spend(VISIT_STEPS);
    if (schema === false) {
      return fault('False boolean schema.');
    }
    if (!isJsonObject(schema)) {
      return undefined;
    }
    if (schema.$ref !== undefined) {
      const found = this.visit(value, this.lookup[(schema as Schema).__absolute_ref__ ?? ''], evaluated);
      // Until draft 7 a reference stands for the whole part.
      if (found || this.draft === '4' || this.draft === '7') {
        return found;
      }
    }
    return (
      this.assert(value, schema) ??
      this.compare(value, schema) ??
      this.combine(value, schema, evaluated) ??
      this.descend(value, schema, evaluated)
    );
  }

  private assert(value: unknown, part: JsonObject): OutputFault | undefined {
    if (!this.assertions.has(part)) {
      this.assertions.set(part, assertionsOf(part));
    }
    const assertions = this.assertions.get(part);
    if (assertions) {
      this.budget.spend(assertionSteps(value, assertions));
      const text = assertionFault(value, assertions, this.draft);
      if (text !== undefined) {
        return fault(text);
      }
    }
    return typeof value === 'string' &&
      typeof part.pattern === 'string' &&
      this.matchesPattern(value, part.pattern) === false
      ? fault('String does not match pattern.')
      : undefined;
  }

  /** @returns undefined if the pattern is not tried */
  private matchesPattern(text: string, pattern: string): boolean | undefined {
    const isMatching = this.patterns.matches(pattern, text);
    this.untried += isMatching === undefined ? 1 : 0;
    return isMatching;
  }

  private compare(value: unknown, part: JsonObject): OutputFault | undefined {
    if (part.const !== undefined && !this.texts.areEqual(value, part.const)) {
      return fault(() => `Instance does not match ${JSON.stringify(part.const)}.`);
    }
    return Array.isArray(part.enum) && !this.texts.isListed(value, part.enum)
      ? fault(() => `Instance does not match any of ${JSON.stringify(part.enum)}.`)
      : undefined;
  }

  private combine(value: unknown, part: JsonObject, evaluated: Evaluated): OutputFault | undefined {
    const { untried } = this;
    if (part.not !== undefined && !this.visit(value, part.not, new Set()) && this.untried === untried) {
      return fault('Instance matched "not" schema.');
    }
    if (Array.isArray(part.anyOf) && this.matches(value, part.anyOf, evaluated) === 0) {
      return fault('Instance does not match any subschemas.');
    }
    for (const each of arrayOf(part.allOf)) {
      const found = this.visit(value, each, evaluated);
      if (found) {
        return found;
      }
    }
    if (Array.isArray(part.oneOf)) {
      const matches = this.matches(value, part.oneOf, evaluated);
      if (matches === 0 || (matches > 1 && this.untried === untried)) {
        return fault(`Instance does not match exactly one subschema (${matches} matches).`);
      }
    }
    return part.if === undefined ? undefined : this.branch(value, part, evaluated);
  }

  /** Judges by `then` or `else`; by neither where it is uncertain which, as a pattern under `if` is not tried. */
  private branch(value: unknown, part: JsonObject, evaluated: Evaluated): OutputFault | undefined {
    const { untried } = this;
    const isMet = this.matches(value, [part.if], evaluated) === 1;
    if (isMet && this.untried !== untried) {
      return undefined;
    }
    return this.visit(value, isMet ? part.then : part.else, evaluated);
  }

  /** Number of schemas that a value meets. */
  private matches(value: unknown, schemas: readonly unknown[], evaluated: Evaluated): number {
    let matches = 0;
    for (const schema of schemas) {
      const own: Evaluated = new Set();
      if (!this.visit(value, schema, own)) {
        matches++;
        this.budget.spend(own.size * MEMBER_STEPS);
        own.forEach((key) => evaluated.add(key));
      }
    }
    return matches;
  }

  private descend(value: unknown, part: JsonObject, evaluated: Evaluated): OutputFault | undefined {
    if (Array.isArray(value)) {
      return this.judgeItems(value, part, evaluated) ?? this.judgeRepeats(value, part);
    }
    return isJsonObject(value)
      ? (this.judgeDependencies(value, part, evaluated) ?? this.judgeMembers(value, part, evaluated))
      : undefined;
  }

  /** Judges what stands at a key, or index, of a value. */
  private child(
    value: JsonObject | readonly unknown[],
    key: string | number,
    schema: unknown,
    evaluated: Evaluated,
  ): OutputFault | undefined {
    evaluated.add(key);
    const found = this.visit((value as JsonObject)[key], schema, new Set());
    return found && { ...found, path: [key, ...found.path] };
  }

  private judgeDependencies(
    value: JsonObject,
    { dependencies, dependentRequired, dependentSchemas }: JsonObject,
    evaluated: Evaluated,
  ): OutputFault | undefined {
    for (const rules of [dependentRequired, dependentSchemas, dependencies]) {
      for (const [key, rule] of namedRules(rules)) {
        this.budget.spend(MEMBER_STEPS);
        if (!Object.hasOwn(value, key)) {
          continue;
        }
        this.budget.spend(arrayOf(rule).length * MEMBER_STEPS);
        const lacking = arrayOf(rule).find((name) => !Object.hasOwn(value, String(name)));
        const found =
          lacking === undefined
            ? this.visit(value, rule, evaluated)
            : fault(
                () => `Instance has ${JSON.stringify(key)} but does not have ${JSON.stringify(lacking)}.`,
              );
        if (found) {
          return found;
        }
      }
    }
    return undefined;
  }

  private judgeMembers(value: JsonObject, part: JsonObject, evaluated: Evaluated): OutputFault | undefined {
    const { propertyNames, additionalProperties, unevaluatedProperties } = part;
    const keys = Object.keys(value);
    this.budget.spend(keys.length * MEMBER_STEPS);
    for (const key of keys) {
      if (propertyNames !== undefined && this.visit(key, propertyNames, new Set())) {
        return fault(() => `Property name ${JSON.stringify(key)} does not match schema.`);
      }
      let schemas = this.declared(part, key);
      if (schemas.length === 0 && additionalProperties !== undefined) {
        schemas = [additionalProperties];
      } else if (schemas.length === 0 && unevaluatedProperties !== undefined && !evaluated.has(key)) {
        schemas = [unevaluatedProperties];
      }
      for (const schema of schemas) {
        const found = this.child(value, key, schema, evaluated);
        if (found) {
          return found;
        }
      }
    }
    return undefined;
  }

  /** Schemas of a member by its name and by patterns; one that admits everything where a pattern is not tried. */
  private declared({ properties, patternProperties }: JsonObject, key: string): readonly unknown[] {
    const found = isJsonObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
    for (const [pattern, schema] of namedRules(patternProperties)) {
      this.budget.spend(MEMBER_STEPS);
      const isMatching = this.matchesPattern(key, pattern);
      if (isMatching !== false) {
        found.push(isMatching ? schema : true);
      }
    }
    return found;
  }

  private judgeItems(
    value: readonly unknown[],
    { prefixItems, items, additionalItems, unevaluatedItems, contains, minContains, maxContains }: JsonObject,
    evaluated: Evaluated,
  ): OutputFault | undefined {
    if (contains !== undefined) {
      const least = typeof minContains === 'number' ? minContains : 1;
      const most = typeof maxContains === 'number' ? maxContains : Infinity;
      const { untried } = this;
      const matching = value.filter((item, index) => {
        const isMatching = !this.visit(item, contains, new Set());
        return isMatching && evaluated.add(index);
      }).length;
      if (matching < least || (matching > most && this.untried === untried)) {
        const bound = matching < least ? `at least ${least}` : `at most ${most}`;
        return fault(`Array must contain ${bound} items matching schema. ${matching} items were found.`);
      }
    }
    const first = arrayOf(Array.isArray(items) ? items : prefixItems);
    const rest = Array.isArray(items) ? additionalItems : items;
    this.budget.spend(value.length * ITEM_STEPS);
    for (const index of value.keys()) {
      const schema =
        (index < first.length ? first[index] : rest) ?? (evaluated.has(index) ? undefined : unevaluatedItems);
      const found = schema === undefined ? undefined : this.child(value, index, schema, evaluated);
      if (found) {
        return found;
      }
    }
    return undefined;
  }

  private judgeRepeats(value: readonly unknown[], { uniqueItems }: JsonObject): OutputFault | undefined {
    if (uniqueItems !== true) {
      return undefined;
    }
    const repeat = this.texts.firstRepeat(value);
    return repeat && fault(`Duplicate items at indexes ${repeat[0]} and ${repeat[1]}.`);
  }
}

function fault(text: string | (() => string)): OutputFault {
  return { path: [], text: typeof text === 'string' ? () => text : text };
}
