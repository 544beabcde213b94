import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { shortened } from '../../common/text/shortened.js';
import { schemaKind } from '../tools/schema/schema-keywords.js';

/** Keywords whose values are data, in which nothing is a keyword. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'required']);

/** Keywords that are left out: the library looks for schemas in `examples`, and the others become `$ref`. */
const UNUSED_KEYWORDS: ReadonlySet<string> = new Set(['$recursiveAnchor', '$recursiveRef', 'examples']);

/** Schemas and items of lists in one schema. */
const MAX_PARTS = 10_000;

/** Parts with an id, one within the other: the library reads what is in each of them twice. */
const MAX_NESTED_IDS = 4;

/** Characters of the URI of one part, and of those of all parts: the library keeps each part under its own. */
const MAX_URI_CHARS = 10_000;
const MAX_ALL_URI_CHARS = 2 ** 23;

/** Characters of a type that a message quotes. */
const MAX_TYPE_CHARS = 100;

/** Characters that the largest byte of a name takes in a URI. */
const CHARS_PER_BYTE = 3;

/** Keywords whose members are schemas under names that the caller chose. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Keywords whose values are schemas, or lists of them. */
const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  ...NAMED_SCHEMAS,
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** Where a part stands. */
interface Place {
  /** Whether a schema stands there, and not what a keyword of the caller's own holds. */
  readonly isSchema: boolean;
  /** Schemas around this part that have an id. */
  readonly ids: number;
  /** Characters of its URI, at most. */
  readonly chars: number;
}

/**
 * A copy of a caller's schema that cannot keep the process busy while its references are resolved. Types have the names
 * that the library knows; one with a name that stands for none of them says nothing, so that no value breaks it.
 * @throws Error for a schema that has more than 10,000 parts, nests more than 4 with an id, or has long names and ids; and
 *   for one that is itself of unknown types alone, which is a mistake about the answer as a whole
 */
export function boundedSchema(schema: JsonObject): JsonObject {
  refuseUnknownTypes(schema.type);
  return new BoundedCopy().part(schema, { isSchema: true, ids: 0, chars: 0 }) as JsonObject;
}

class BoundedCopy {
  private parts = 0;
  private chars = 0;

  part(part: unknown, outer: Place): unknown {
    if (Array.isArray(part)) {
      this.countParts(part.length);
      return part.map((item, index) => this.part(item, below(outer, String(index))));
    }
    if (typeof part === 'boolean') {
      this.countChars(outer);
    }
    if (!isJsonObject(part)) {
      return part;
    }
    this.countParts(1);
    const place = within(part, outer);
    this.countChars(place);
    [part.$ref, part.$anchor].forEach((name) => {
      if (typeof name === 'string') {
        this.countChars(below(place, name));
      }
    });
    const keywords = Object.entries(part).filter(([keyword]) => !UNUSED_KEYWORDS.has(keyword));
    const copy: Record<string, unknown> = Object.fromEntries(
      keywords.map(([keyword, value]) => [keyword, this.keyword(keyword, value, place)]),
    );
    if (place.isSchema && part.type !== undefined) {
      copy.type = standardTypes(part.type);
      if (copy.type === undefined) {
        delete copy.type;
      }
    }
    if (part.$recursiveRef === '#') {
      // Means the same in a schema that no other refers to, and is counted where it is followed.
      copy.$ref ??= '#';
    }
    return copy;
  }

  private keyword(keyword: string, value: unknown, outer: Place): unknown {
    if (DATA_KEYWORDS.has(keyword)) {
      return structuredClone(value);
    }
    const isSchema = outer.isSchema && SCHEMA_KEYWORDS.has(keyword);
    const place = { ...below(outer, keyword), isSchema };
    if (NAMED_SCHEMAS.has(keyword) && isJsonObject(value)) {
      // The library takes `dependencies` themselves for a schema.
      return this.named(value, keyword === 'dependencies' ? within(value, place) : place);
    }
    return this.part(value, place);
  }

  private named(schemas: JsonObject, place: Place): JsonObject {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.part(schema, below(place, name))]),
    );
  }

  private countParts(more: number): void {
    this.parts += more;
    if (this.parts > MAX_PARTS) {
      throw new Error(`must have at most ${MAX_PARTS} parts`);
    }
  }

  private countChars({ ids, chars }: Place): void {
    this.chars += chars * 2 ** ids;
    if (chars > MAX_URI_CHARS || this.chars > MAX_ALL_URI_CHARS) {
      throw new Error('must have shorter names and ids');
    }
  }
}

function below(outer: Place, name: string): Place {
  return { ...outer, chars: outer.chars + 1 + uriChars(name) };
}

/** The place of what is in this part. Whatever its type, the library takes a value for an id. */
function within({ $id, id }: JsonObject, outer: Place): Place {
  const own = $id || id;
  if (!own) {
    return outer;
  }
  if (outer.ids === MAX_NESTED_IDS) {
    throw new Error(`must not nest more than ${MAX_NESTED_IDS} parts that have an id`);
  }
  return {
    ...outer,
    ids: outer.ids + 1,
    chars: outer.chars + uriChars(typeof own === 'string' ? own : JSON.stringify(own)),
  };
}

/** @throws Error if there are types, and none has a known name */
function refuseUnknownTypes(types: unknown): void {
  const names: readonly unknown[] = [types].flat();
  const [first] = names;
  if (first !== undefined && first !== null && names.every((name) => schemaKind(name) === undefined)) {
    const type = shortened(JSON.stringify(first), MAX_TYPE_CHARS);
    throw new Error(`must not have the type ${type}, which JSON Schema does not know`);
  }
}

/** Undefined if one of them is unknown: it may stand for any. */
function standardTypes(types: unknown): unknown {
  if (typeof types === 'string') {
    return schemaKind(types);
  }
  if (!Array.isArray(types)) {
    return types;
  }
  const kinds = types.map(schemaKind);
  return kinds.includes(undefined) ? undefined : kinds;
}

function uriChars(name: string): number {
  return Buffer.byteLength(name) * CHARS_PER_BYTE;
}
