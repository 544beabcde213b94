import { isAbsent } from '../../chat/dto/wire-values.js';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { inCamelCase } from './wire-objects.js';

/** Members that are for the provider alone. */
const DROPPED = new Set(['nullable', 'propertyOrdering', 'example']);

/** Numbers, which the API has as texts, since they have 64 bits. */
const NUMBERS = /^(?:min|max)(?:Items|Length|Properties)$/;

/** A schema in the API's own form, which is that of OpenAPI with types in capitals, as JSON Schema. What is none stays. */
export function toJsonSchema(schema: unknown): unknown {
  if (!isJsonObject(schema)) {
    return schema;
  }
  const members = inCamelCase(schema);
  const read = Object.fromEntries(
    Object.entries(members)
      .filter(([name, value]) => !DROPPED.has(name) && !isAbsent(value) && value !== 'TYPE_UNSPECIFIED')
      .map(([name, value]) => [name, toMember(name, value)]),
  );
  return members.nullable === true ? withNull(read) : read;
}

function toMember(name: string, value: unknown): unknown {
  switch (name) {
    case 'type':
      return typeof value === 'string' ? value.toLowerCase() : value;
    case 'items':
      return toJsonSchema(value);
    case 'anyOf':
      return Array.isArray(value) ? value.map(toJsonSchema) : value;
    case 'properties':
      return isJsonObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJsonSchema(inner)]))
        : value;
    default:
      return typeof value === 'string' && NUMBERS.test(name) ? Number(value) : value;
  }
}

function withNull({ type, anyOf, enum: values, ...others }: JsonObject): JsonObject {
  return {
    ...others,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(anyOf) && { anyOf: [...(anyOf as unknown[]), { type: 'null' }] }),
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  };
}
