import { isJsonObject, type JsonObject } from '../dto/wire-values.js';

/** Keywords whose values are data, in which nothing is a keyword. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'required']);

/** Keywords that are left out: the library looks for schemas in `examples`, and the others become `$ref`. */
const UNUSED_KEYWORDS: ReadonlySet<string> = new Set(['$recursiveAnchor', '$recursiveRef', 'examples']);

/** Schemas and items of lists in one schema. */
const MAX_PARTS = 10_000;

/** Parts with an id, one within the other: the library reads what is in each of them twice. */
const MAX_NESTED_IDS = 4;

/** Keywords whose members are schemas under names that the caller chose. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/**
 * A copy of a caller's schema that cannot keep the process busy while its references are resolved.
 * @throws Error for a schema that has more than 10,000 parts, or nests more than 4 with an id
 */
export function boundedSchema(schema: JsonObject): JsonObject {
  return new BoundedCopy().part(schema, 0) as JsonObject;
}

class BoundedCopy {
  private parts = 0;

  /** @param outerIds schemas around this part that have an id */
  part(part: unknown, outerIds: number): unknown {
    if (Array.isArray(part)) {
      this.countParts(part.length);
      return part.map((item) => this.part(item, outerIds));
    }
    if (!isJsonObject(part)) {
      return part;
    }
    this.countParts(1);
    const ids = idsWith(part, outerIds);
    const keywords = Object.entries(part).filter(([keyword]) => !UNUSED_KEYWORDS.has(keyword));
    const copy: Record<string, unknown> = Object.fromEntries(
      keywords.map(([keyword, value]) => [keyword, this.keyword(keyword, value, ids)]),
    );
    if (part.$recursiveRef === '#') {
      // Means the same in a schema that no other refers to, and is counted where it is followed.
      copy.$ref ??= '#';
    }
    return copy;
  }

  private keyword(keyword: string, value: unknown, ids: number): unknown {
    if (DATA_KEYWORDS.has(keyword)) {
      return structuredClone(value);
    }
    if (NAMED_SCHEMAS.has(keyword) && isJsonObject(value)) {
      // The library takes `dependencies` themselves for a schema.
      return this.named(value, keyword === 'dependencies' ? idsWith(value, ids) : ids);
    }
    return this.part(value, ids);
  }

  private named(schemas: JsonObject, ids: number): JsonObject {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.part(schema, ids)]),
    );
  }

  private countParts(more: number): void {
    this.parts += more;
    if (this.parts > MAX_PARTS) {
      throw new Error(`must have at most ${MAX_PARTS} parts`);
    }
  }
}

/** Schemas with an id on the way to what is in this part. Whatever its type, the library takes a value for an id. */
function idsWith({ $id, id }: JsonObject, outerIds: number): number {
  const ids = outerIds + (Boolean($id) || Boolean(id) ? 1 : 0);
  if (ids > MAX_NESTED_IDS) {
    throw new Error(`must not nest more than ${MAX_NESTED_IDS} parts that have an id`);
  }
  return ids;
}
