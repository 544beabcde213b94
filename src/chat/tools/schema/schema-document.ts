import { isJsonObject, type JsonObject } from '../../dto/wire-values.js';
import { ListedValues } from './listed-values.js';
import { PatternMatcher } from './pattern-matcher.js';
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
} from './schema-keywords.js';

/** Alternatives of one schema. A part that multiplies them further is ignored. */
const MAX_BRANCHES = 64;

/** Subschemas visited for one schema, and their nesting. They bound schemas that refer to each other endlessly. */
const MAX_STEPS = 1000;
const MAX_NESTING = 64;

/** One JSON Schema with its definitions. Parts are evaluated when they are needed, so references may form cycles. */
export class SchemaDocument {
  private readonly schemas = new Map<unknown, Schema>();
  private readonly lists = new Map<readonly unknown[], ListedValues>();

  /**
   * @param root the schema that local references (`#/…`) start from
   * @param patterns tries the patterns for names of members
   */
  constructor(
    private readonly root: unknown,
    readonly patterns = new PatternMatcher(),
  ) {}

  /** @param part a schema object of the document; anything else, also a boolean, admits every value */
  schema(part: unknown): Schema {
    let schema = this.schemas.get(part);
    if (!schema) {
      schema = new Schema(() => this.branches(part));
      this.schemas.set(part, schema);
    }
    return schema;
  }

  /** Cached, because alternatives may share a list of 100,000 values. */
  listed(values: readonly unknown[]): ListedValues {
    let listed = this.lists.get(values);
    if (!listed) {
      listed = new ListedValues(values);
      this.lists.set(values, listed);
    }
    return listed;
  }

  private branches(part: unknown): Branch[] {
    const alternatives = new Expansion(this).alternatives(part, []);
    // A schema that nothing can meet, such as a reference to itself, is treated as one that admits everything.
    return (alternatives.length === 0 ? [[]] : alternatives).map((parts) => new Branch(this, parts));
  }

  /** The part of the document under a local reference; undefined if there is none. */
  resolve(reference: unknown): unknown {
    if (typeof reference !== 'string' || !reference.startsWith('#')) {
      return undefined;
    }
    let part = this.root;
    for (const step of pointerSteps(reference.slice(1))) {
      if (typeof part !== 'object' || part === null || !Object.hasOwn(part, step)) {
        return undefined;
      }
      part = (part as JsonObject)[step];
    }
    return part;
  }
}

/** A schema as its alternatives: a value conforms if it conforms to one of them. */
export class Schema {
  private found: readonly Branch[] | undefined;

  constructor(private readonly find: () => readonly Branch[]) {}

  get branches(): readonly Branch[] {
    return (this.found ??= this.find());
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
    this.required = parts.flatMap(({ required }) =>
      Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [],
    );
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

  item(index: number): Schema {
    // All items behind the tuple have the same schema.
    const at = Math.min(index, this.tupleLength);
    let schema = this.items.get(at);
    if (!schema) {
      schema = this.together(
        this.parts.map((part) => (at < tupleOf(part).length ? tupleOf(part)[at] : restOf(part))),
      );
      this.items.set(at, schema);
    }
    return schema;
  }

  /** Cached, because each pattern is tried on the name, and callers ask several times. */
  private member(key: string): MemberRule {
    let rule = this.members.get(key);
    if (!rule) {
      const schemas: unknown[] = [];
      let isDeclared = false;
      let isForbidden = false;
      for (const part of this.parts) {
        const declared = declaredSchemas(part, key, this.document.patterns);
        if (declared.length > 0) {
          isDeclared = true;
          schemas.push(...declared);
        } else {
          isForbidden ||= part.additionalProperties === false;
          schemas.push(part.additionalProperties);
        }
      }
      rule = { isDeclared, isForbidden, schema: this.together(schemas) };
      this.members.set(key, rule);
    }
    return rule;
  }

  /** The schema of a value for which several hold. */
  private together(parts: readonly unknown[]): Schema {
    const found = parts.filter((one) => isJsonObject(one));
    return this.document.schema(found.length > 1 ? { allOf: found } : found[0]);
  }
}

interface MemberRule {
  readonly isDeclared: boolean;
  readonly isForbidden: boolean;
  readonly schema: Schema;
}

/** Expands a schema into its alternatives (disjunctive normal form), each a list of schema objects that hold together. */
class Expansion {
  private steps = 0;

  constructor(private readonly document: SchemaDocument) {}

  /** @param path the schemas that led here; one that recurs adds nothing */
  alternatives(part: unknown, path: readonly unknown[]): JsonObject[][] {
    if (part === false || path.includes(part)) {
      return [];
    }
    if (!isJsonObject(part) || ++this.steps > MAX_STEPS || path.length > MAX_NESTING) {
      return [[]];
    }
    const below = [...path, part];
    let found: JsonObject[][] = [[part]];
    if (part.$ref !== undefined) {
      found = product(found, this.alternatives(this.document.resolve(part.$ref), below));
    }
    for (const each of arrayOf(part.allOf)) {
      found = product(found, this.alternatives(each, below));
    }
    for (const choice of [part.anyOf, part.oneOf]) {
      if (Array.isArray(choice) && choice.length > 0) {
        found = product(found, this.union(choice, below));
      }
    }
    return part.nullable === true ? [...found, [{ type: 'null' }]] : found;
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
}

function product(left: JsonObject[][], right: JsonObject[][]): JsonObject[][] {
  return left.length * right.length > MAX_BRANCHES
    ? left
    : left.flatMap((one) => right.map((other) => [...one, ...other]));
}

function pointerSteps(pointer: string): string[] {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => decodePercent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The intersection of the defined values; undefined if none is defined. */
function intersection<T extends object>(
  all: readonly (T | undefined)[],
  common: (left: T, right: T) => T,
): T | undefined {
  const defined = all.filter((one) => one !== undefined);
  return defined.length === 0 ? undefined : defined.reduce(common);
}
