import { format, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import { type JsonObject } from '../dto/wire-values.js';

/** Keywords that say something of a value itself, and nothing of what is in it. */
const ASSERTIONS = [
  'type',
  'required',
  'minProperties',
  'maxProperties',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
] as const;

/** Characters of the longest text on which a format is tried: the expression for `url` takes quadratic time. */
const MAX_FORMAT_CHARS = 512;

/** The assertions of one part of a schema. */
export interface Assertions {
  readonly plain: Schema;
  /** The same with the format. */
  readonly withFormat: Schema;
  /** Names that are looked up in an object. */
  readonly names: number;
}

/** @returns undefined for a part without assertions */
export function assertionsOf(part: JsonObject): Assertions | undefined {
  const found = ASSERTIONS.filter((name) => part[name] !== undefined && isUsable(name, part[name]));
  const plain = Object.fromEntries(found.map((name) => [name, part[name]])) as Schema;
  const hasFormat = typeof part.format === 'string' && Object.hasOwn(format, part.format);
  if (found.length === 0 && !hasFormat) {
    return undefined;
  }
  return {
    plain,
    withFormat: hasFormat ? { ...plain, format: part.format as string } : plain,
    names: Array.isArray(plain.required) ? plain.required.length : 0,
  };
}

/** What a value breaks, in one sentence; undefined if it conforms. */
export function assertionFault(
  value: unknown,
  { plain, withFormat }: Assertions,
  draft: SchemaDraft,
): string | undefined {
  const schema = typeof value === 'string' && value.length <= MAX_FORMAT_CHARS ? withFormat : plain;
  return validate(value, schema, draft, {}).errors[0]?.error;
}

/** Whether a keyword has a value that the library can read. */
function isUsable(name: (typeof ASSERTIONS)[number], value: unknown): boolean {
  if (name === 'type' || name === 'required') {
    return Array.isArray(value) || (name === 'type' && typeof value === 'string');
  }
  // In draft 4, `exclusiveMinimum` and `exclusiveMaximum` are flags.
  return typeof value === 'number' || (typeof value === 'boolean' && name.startsWith('exclusive'));
}
