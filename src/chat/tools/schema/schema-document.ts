import { getOrInsert } from '../../../common/memory/get-or-insert.js';
import { isJsonObject, type JsonObject } from '../../../common/text/json-object.js';
import { EvaluationLimits } from './evaluation-limits.js';
import { ListedValues } from './listed-values.js';
import { LocalReferences } from './local-references.js';
import { SchemaExpansion } from './schema-expansion.js';
import {
  arrayOf,
  commonKinds,
  commonValues,
  declaredSchemas,
  kindsOf,
  restOf,
  type SchemaKind,
  tupleOf,
  valuesOf,
  weightOf,
} from './schema-keywords.js';
import { MEMBER_STEPS } from './step-budget.js';

/** Steps of looking at a value by one alternative of a schema, and of finding the schema of a member or item in one. */
const BRANCH_STEPS = 16;
const MEMBER_RULE_STEPS = 128;

/** One JSON Schema with its definitions. Parts are evaluated when they are needed, so references may form cycles. */
export class SchemaDocument {
  /** What remains of every schema when nothing more may be evaluated. */
  readonly anything: readonly Branch[] = [new Branch(this, [])];
  private readonly references: LocalReferences;
  private readonly schemas = new Map<unknown, Schema>();
  private readonly lists = new Map<readonly unknown[], ListedValues>();
  private readonly weights = new Map<JsonObject, number>();

  /**
   * @param root the schema that local references (`#/…`) start from
   * @param limits shared by the documents of one request
   */
  constructor(
    root: unknown,
    readonly limits = new EvaluationLimits(),
  ) {
    this.references = new LocalReferences(root);
  }

  /** @param part a schema object of the document; anything else, also a boolean, admits every value */
  schema(part: unknown): Schema {
    return getOrInsert(this.schemas, part, () => new Schema(this, () => this.branches(part)));
  }

  /** The schema of a value for which one of several holds. */
  anyOf(schemas: readonly Schema[]): Schema {
    return schemas.length === 1
      ? schemas[0]!
      : new Schema(this, () => schemas.flatMap(({ branches }) => branches));
  }

  /** Cached, because alternatives may share a list of 100,000 values. */
  listed(values: readonly unknown[]): ListedValues {
    return getOrInsert(this.lists, values, () => new ListedValues(values));
  }

  private branches(part: unknown): readonly Branch[] {
    const { steps } = this.limits;
    const found: Branch[] = [];
    for (const parts of new SchemaExpansion(this.references, steps).alternatives(part)) {
      if (!steps.take(parts.reduce((sum, one) => sum + this.weight(one), 0))) {
        return this.anything;
      }
      found.push(new Branch(this, parts));
    }
    // A schema that nothing can meet, such as a reference to itself, is treated as one that admits everything.
    return found.length === 0 ? this.anything : found;
  }

  private weight(part: JsonObject): number {
    return getOrInsert(this.weights, part, () => weightOf(part));
  }
}

/** A schema as its alternatives: a value conforms if it conforms to one of them. */
export class Schema {
  private found: readonly Branch[] | undefined;

  constructor(
    private readonly document: SchemaDocument,
    private readonly find: () => readonly Branch[],
  ) {}

  /** Whoever asks looks at all of them, which is what is counted. */
  get branches(): readonly Branch[] {
    this.found ??= this.find();
    return this.document.limits.steps.take(this.found.length * BRANCH_STEPS)
      ? this.found
      : this.document.anything;
  }
}

/** One alternative of a schema: schema objects whose keywords all hold together. */
export class Branch {
  /** Undefined admits every kind. */
  readonly kinds: ReadonlySet<SchemaKind> | undefined;
  /** Values listed by `enum` and `const`; undefined if there are no such keywords. */
  readonly values: readonly unknown[] | undefined;
  readonly required: readonly string[];
  private readonly tupleLength: number;
  private readonly members = new Map<string, MemberRule>();
  private readonly items = new Map<number, Schema>();

  constructor(
    private readonly document: SchemaDocument,
    private readonly parts: readonly JsonObject[],
  ) {
    this.values = intersection(parts.map(valuesOf), commonValues);
    this.kinds = intersection(parts.map(kindsOf), commonKinds);
    this.tupleLength = Math.max(0, ...parts.map((part) => tupleOf(part).length));
    const required = parts.flatMap(({ required }) => arrayOf(required));
    this.required = [...new Set(required)].filter((key) => typeof key === 'string');
  }

  admits(kind: SchemaKind): boolean {
    return this.kinds === undefined || this.kinds.has(kind);
  }

  /** The same values, to be looked up. */
  get listed(): ListedValues | undefined {
    return this.values && this.document.listed(this.values);
  }

  /** Names of the members in `properties`. */
  get keys(): readonly string[] {
    return this.parts.flatMap(({ properties }) => (isJsonObject(properties) ? Object.keys(properties) : []));
  }

  /** The value of a keyword that is not evaluated here, such as `format`. */
  keyword(name: string): unknown {
    return this.parts.map((part) => part[name]).find((value) => value !== undefined);
  }

  /** Whether a member is declared by its name or by a pattern. */
  declares(key: string): boolean {
    return this.member(key).isDeclared;
  }

  /** Whether a member is not declared and `additionalProperties` is false. */
  forbids(key: string): boolean {
    return this.member(key).isForbidden;
  }

  property(key: string): Schema {
    return this.member(key).schema;
  }

  /** Counts work on a value, whose amount a caller chooses. */
  charge(steps: number): void {
    this.document.limits.steps.take(steps);
  }

  item(index: number): Schema {
    // All items behind the tuple have the same schema.
    const at = Math.min(index, this.tupleLength);
    let schema = this.items.get(at);
    if (!schema && !this.mayFindRule()) {
      return this.document.schema(undefined);
    }
    if (!schema) {
      schema = this.allOf(
        this.parts.map((part) => (at < tupleOf(part).length ? tupleOf(part)[at] : restOf(part))),
      );
      this.items.set(at, schema);
    }
    return schema;
  }

  /** Cached, because each pattern is tried on the name, and callers ask several times. */
  private member(key: string): MemberRule {
    let rule = this.members.get(key);
    if (!rule && !this.mayFindRule()) {
      return { isDeclared: false, isForbidden: false, schema: this.document.schema(undefined) };
    }
    if (!rule) {
      const schemas: unknown[] = [];
      let isDeclared = false;
      let isForbidden = false;
      for (const part of this.parts) {
        const declared = declaredSchemas(part, key, this.document.limits.patterns);
        if (declared.length > 0) {
          isDeclared = true;
          schemas.push(...declared);
        } else {
          isForbidden ||= part.additionalProperties === false;
          schemas.push(part.additionalProperties);
        }
      }
      rule = { isDeclared, isForbidden, schema: this.allOf(schemas) };
      this.members.set(key, rule);
    }
    return rule;
  }

  private mayFindRule(): boolean {
    return this.document.limits.steps.take(MEMBER_RULE_STEPS + this.parts.length * MEMBER_STEPS);
  }

  /** The schema of a value for which several hold. */
  private allOf(parts: readonly unknown[]): Schema {
    const found = parts.filter((one) => isJsonObject(one));
    return this.document.schema(found.length > 1 ? { allOf: found } : found[0]);
  }
}

interface MemberRule {
  readonly isDeclared: boolean;
  readonly isForbidden: boolean;
  readonly schema: Schema;
}

/** The intersection of the defined values; undefined if none is defined. */
function intersection<T extends object>(
  all: readonly (T | undefined)[],
  common: (left: T, right: T) => T,
): T | undefined {
  const defined = all.filter((one) => one !== undefined);
  return defined.length === 0 ? undefined : defined.reduce(common);
}
