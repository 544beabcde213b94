import { isJsonObject, type JsonObject } from '../../../common/text/json-object.js';
import { type PatternMatcher } from './pattern-matcher.js';
import { type SourceNode } from './source-node.js';
import { CHARACTER_STEPS, MEMBER_STEPS } from './step-budget.js';

/** The kinds of JSON Schema; `integer` is a kind of `number`. */
export type SchemaKind = SourceNode['kind'] | 'integer';

/** The values of `type` in JSON Schema, in other dialects and in definitions written by hand. */
const KIND_BY_TYPE: ReadonlyMap<string, SchemaKind> = new Map(
  Object.entries({
    string: 'string',
    str: 'string',
    number: 'number',
    float: 'number',
    integer: 'integer',
    int: 'integer',
    boolean: 'boolean',
    bool: 'boolean',
    null: 'null',
    array: 'array',
    list: 'array',
    object: 'object',
    dict: 'object',
  } as const),
);

/** The kind that a value of `type` names. */
export function schemaKind(name: unknown): SchemaKind | undefined {
  return typeof name === 'string' ? KIND_BY_TYPE.get(name.toLowerCase()) : undefined;
}

/** The value if it is an array, otherwise an empty one. */
export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The values listed by `const` or `enum`; undefined without these keywords. */
export function valuesOf(part: JsonObject): readonly unknown[] | undefined {
  if (part.const !== undefined) {
    return [part.const];
  }
  return Array.isArray(part.enum) && part.enum.length > 0 ? part.enum : undefined;
}

/**
 * The intersection of two lists, each value once. Each is serialized once, because callers may list 100,000 of them.
 */
export function commonValues(values: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const open = new Set(others.map((value) => JSON.stringify(value)));
  return values.filter((value) => open.delete(JSON.stringify(value)));
}

/** Steps of reading what a schema object says of a value itself. */
export function weightOf(part: JsonObject): number {
  const names = arrayOf(part.required).length + arrayOf(part.type).length;
  const values = valuesOf(part);
  return (1 + names) * MEMBER_STEPS + (values ? JSON.stringify(values).length * CHARACTER_STEPS : 0);
}

/** The kinds in `type`; without it the kinds that other keywords imply. Undefined admits every kind. */
export function kindsOf(part: JsonObject): ReadonlySet<SchemaKind> | undefined {
  const names = typeof part.type === 'string' ? [part.type] : arrayOf(part.type);
  const kinds = names.map(schemaKind);
  if (kinds.length > 0) {
    return kinds.every((kind) => kind !== undefined) ? new Set(kinds) : undefined;
  }
  const values = valuesOf(part);
  if (values) {
    return new Set(values.map(kindOfValue));
  }
  if (isJsonObject(part.properties)) {
    return new Set(['object']);
  }
  return part.items !== undefined || part.prefixItems !== undefined ? new Set(['array']) : undefined;
}

function kindOfValue(value: unknown): SchemaKind {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'array';
  }
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object';
}

/** The intersection of two sets of kinds, where `integer` is part of `number`. */
export function commonKinds(
  kinds: ReadonlySet<SchemaKind>,
  others: ReadonlySet<SchemaKind>,
): ReadonlySet<SchemaKind> {
  const narrower = (kind: SchemaKind, there: ReadonlySet<SchemaKind>): boolean =>
    there.has(kind) || (kind === 'integer' && there.has('number'));
  return new Set([
    ...[...kinds].filter((kind) => narrower(kind, others)),
    ...[...others].filter((kind) => narrower(kind, kinds)),
  ]);
}

/** The schemas of a member that is declared by its name or by a pattern. */
export function declaredSchemas(
  { properties, patternProperties }: JsonObject,
  key: string,
  patterns: PatternMatcher,
): readonly unknown[] {
  const found: unknown[] = [];
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) {
    found.push(properties[key]);
  }
  if (isJsonObject(patternProperties) && !patterns.isSpent) {
    for (const [pattern, schema] of Object.entries(patternProperties)) {
      if (patterns.matches(pattern, key)) {
        found.push(schema);
      }
    }
  }
  return found;
}

/** The schemas of the first items: `prefixItems`, or the array `items` of older drafts. */
export function tupleOf({ prefixItems, items }: JsonObject): readonly unknown[] {
  return Array.isArray(prefixItems) ? prefixItems : arrayOf(items);
}

/** The schema of the items behind those: `items`, or `additionalItems` of older drafts. */
export function restOf({ items, additionalItems }: JsonObject): unknown {
  return Array.isArray(items) ? additionalItems : items;
}
