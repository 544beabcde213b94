import { isJsonObject, type JsonObject } from '../dto/wire-values.js';
import { isHarmlessPattern, MAX_MATCHED_CHARS } from '../tools/schema/harmless-pattern.js';

/** Keywords whose values are data, in which nothing is a keyword. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required']);

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
 * A copy of a caller's schema whose regular expressions cannot keep the process busy: costly ones are left out, the
 * others are tried on texts of up to 128 characters only.
 */
export function boundedSchema(schema: JsonObject): JsonObject {
  return boundedPart(schema) as JsonObject;
}

function boundedPart(part: unknown): unknown {
  if (Array.isArray(part)) {
    return part.map(boundedPart);
  }
  if (!isJsonObject(part)) {
    return part;
  }
  const { pattern, patternProperties, ...others } = part;
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(others)) {
    copy[keyword] = boundedKeyword(keyword, value);
  }
  if (isJsonObject(patternProperties)) {
    Object.assign(copy, boundedPatternProperties(patternProperties, copy));
  }
  if (typeof pattern === 'string' && isHarmlessPattern(pattern, '')) {
    copy.allOf = [
      ...(Array.isArray(copy.allOf) ? (copy.allOf as unknown[]) : []),
      { if: { maxLength: MAX_MATCHED_CHARS }, then: { pattern } },
    ];
  }
  return copy;
}

function boundedKeyword(keyword: string, value: unknown): unknown {
  if (DATA_KEYWORDS.has(keyword)) {
    return structuredClone(value);
  }
  if (NAMED_SCHEMAS.has(keyword) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, boundedPart(schema)]));
  }
  return boundedPart(value);
}

/** Without a pattern that is left out, its members would count as additional ones, so those are not restricted then. */
function boundedPatternProperties(patterns: JsonObject, { additionalProperties }: JsonObject): JsonObject {
  const kept = Object.entries(patterns).filter(([pattern]) => isHarmlessPattern(pattern, ''));
  const isWhole = kept.length === Object.keys(patterns).length;
  return {
    patternProperties: Object.fromEntries(kept.map(([pattern, schema]) => [pattern, boundedPart(schema)])),
    ...(additionalProperties !== undefined && {
      additionalProperties: isWhole ? additionalProperties : true,
    }),
  };
}
