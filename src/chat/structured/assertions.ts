import { format, type Schema, type SchemaDraft, validate } from '@cfworker/json-schema';
import { isJsonObject, type JsonObject } from '../../common/text/json-object.js';
import { readingSteps } from '../tools/schema/pattern-cost.js';
import { CHARACTER_STEPS, MEMBER_STEPS } from '../tools/schema/step-budget.js';

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

/** The values of `type`. */
const KINDS = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;

/** Characters of the longest text on which a format is tried: some of the library's expressions take quadratic time. */
const MAX_FORMAT_CHARS = 512;

/** The format that the library does not judge: its expression takes exponential time, at 40 characters for ever. */
const URL_FORMAT = 'url';
/** What the parser of URLs lets pass is not written so, as `mailto:a` and what has blanks. */
const WRITTEN_URL = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i;

const LEAST_STEPS = 300;

/** The assertions of one part of a schema. */
export interface Assertions {
  readonly plain: Schema;
  /** The same with the format, unless that is `url`. */
  readonly withFormat: Schema;
  readonly isUrl: boolean;
  /** Names that are looked up in an object. */
  readonly names: number;
}

/** @returns undefined for a part without assertions */
export function assertionsOf(part: JsonObject): Assertions | undefined {
  const found = ASSERTIONS.filter((name) => part[name] !== undefined && isUsable(name, part[name]));
  const plain = Object.fromEntries(found.map((name) => [name, part[name]])) as Schema;
  if (Array.isArray(plain.type)) {
    // The library writes all of them into what it says.
    plain.type = KINDS.filter((kind) => plain.type?.includes(kind));
  }
  const hasFormat = typeof part.format === 'string' && Object.hasOwn(format, part.format);
  if (found.length === 0 && !hasFormat) {
    return undefined;
  }
  const isUrl = part.format === URL_FORMAT;
  return {
    plain,
    withFormat: hasFormat && !isUrl ? { ...plain, format: part.format as string } : plain,
    isUrl,
    names: Array.isArray(plain.required) ? plain.required.length : 0,
  };
}

/** Steps that it takes to see whether a value conforms. */
export function assertionSteps(value: unknown, { withFormat, names }: Assertions): number {
  if (typeof value === 'string') {
    const isExpression = withFormat.format === 'regex' && value.length <= MAX_FORMAT_CHARS;
    return LEAST_STEPS + value.length * CHARACTER_STEPS + (isExpression ? readingSteps(value) : 0);
  }
  return LEAST_STEPS + (isJsonObject(value) ? (Object.keys(value).length + names) * MEMBER_STEPS : 0);
}

/** What a value breaks, in one sentence; undefined if it conforms. */
export function assertionFault(
  value: unknown,
  { plain, withFormat, isUrl }: Assertions,
  draft: SchemaDraft,
): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_FORMAT_CHARS) {
    return validate(value, plain, draft, {}).errors[0]?.error;
  }
  const isOther = isUrl && !(WRITTEN_URL.test(value) && URL.canParse(value));
  const found = validate(value, withFormat, draft, {}).errors[0]?.error;
  return found ?? (isOther ? `String does not match format "${URL_FORMAT}".` : undefined);
}

/** Whether a keyword has a value that the library can read. */
function isUsable(name: (typeof ASSERTIONS)[number], value: unknown): boolean {
  if (name === 'type' || name === 'required') {
    return Array.isArray(value) || (name === 'type' && typeof value === 'string');
  }
  // In draft 4, `exclusiveMinimum` and `exclusiveMaximum` are flags.
  return typeof value === 'number' || (typeof value === 'boolean' && name.startsWith('exclusive'));
}
