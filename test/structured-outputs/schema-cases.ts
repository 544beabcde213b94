import fc from 'fast-check';

/** A schema as callers send it, and a value that conforms to it. */
export interface SchemaCase {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

type CaseArbitrary = fc.Arbitrary<SchemaCase>;

const word = fc.stringMatching(/^[a-z]{1,8}$/);
/** Text with what JSON escapes, markup and other scripts. */
const prose = fc.string({ unit: 'grapheme', maxLength: 40 });
const longText = fc.array(prose, { minLength: 60, maxLength: 120 }).map((parts) => parts.join('\n'));

function of<T>(schema: SchemaCase['schema'], values: fc.Arbitrary<T>): CaseArbitrary {
  return values.map((value) => ({ schema, value }));
}

const FORMATS: readonly CaseArbitrary[] = [
  of(
    { type: 'string', format: 'date' },
    fc.constantFrom('2024-02-29', '1999-12-31').map((date) => date),
  ),
  of(
    { type: 'string', format: 'date-time' },
    fc.constantFrom('2024-02-29T12:30:00Z', '2001-01-01T00:00:00.5+02:00'),
  ),
  of(
    { type: 'string', format: 'email' },
    word.map((name) => `${name}@example.org`),
  ),
  of({ type: 'string', format: 'uuid' }, fc.uuid()),
  of({ type: 'string', format: 'ipv4' }, fc.ipV4()),
];

const scalar: CaseArbitrary = fc.oneof(
  of({ type: 'string' }, prose),
  of(
    { type: 'string', minLength: 3, maxLength: 60 },
    word.map((text) => text.padEnd(3, 'x')),
  ),
  of(
    { type: 'string', pattern: '^[a-z]+-[0-9]+$' },
    fc.tuple(word, fc.nat(999)).map(([name, n]) => `${name}-${n}`),
  ),
  of({ type: 'string', description: 'a long text' }, longText),
  of({ type: 'integer', minimum: -10, maximum: 5000 }, fc.integer({ min: -10, max: 5000 })),
  of({ type: 'number' }, fc.double({ noNaN: true, noDefaultInfinity: true })),
  of({ type: 'boolean' }, fc.boolean()),
  of({ type: ['string', 'null'] }, fc.option(word, { nil: null })),
  fc
    .uniqueArray(word, { minLength: 2, maxLength: 5 })
    .chain((listed) => of({ type: 'string', enum: listed }, fc.constantFrom(...listed))),
  of({ enum: [1, 'one', null] }, fc.constantFrom<unknown>(1, 'one', null)),
  of({ const: 'fixed' }, fc.constant('fixed')),
  ...FORMATS,
);

function arrayCase(item: CaseArbitrary): CaseArbitrary {
  return fc.tuple(item, fc.nat(3)).map(([{ schema, value }, extra]) => ({
    schema: { type: 'array', items: schema, minItems: 1 },
    value: Array.from({ length: extra + 1 }, () => value),
  }));
}

function objectCase(member: CaseArbitrary): CaseArbitrary {
  const members = fc.uniqueArray(fc.tuple(word, member, fc.boolean()), {
    minLength: 1,
    maxLength: 5,
    selector: ([key]) => key,
  });
  return members.map((found) => ({
    schema: {
      type: 'object',
      properties: Object.fromEntries(found.map(([key, { schema }]) => [key, schema])),
      required: found.map(([key]) => key),
      additionalProperties: false,
    },
    value: Object.fromEntries(found.map(([key, { value }]) => [key, value])),
  }));
}

/** Alternatives that a member `kind` tells apart. */
function unionCase(member: CaseArbitrary): CaseArbitrary {
  const variants = fc.array(objectCase(member), { minLength: 2, maxLength: 3 });
  return fc.tuple(variants, fc.nat(2)).map(([found, pick]) => {
    const tagged = found.map(({ schema, value }, index) => ({
      schema: {
        ...schema,
        properties: { kind: { const: `k${index}` }, ...(schema.properties as object) },
        required: ['kind', ...(schema.required as string[])],
      },
      value: { kind: `k${index}`, ...(value as object) },
    }));
    return {
      schema: { anyOf: tagged.map(({ schema }) => schema) },
      value: tagged[pick % tagged.length]!.value,
    };
  });
}

/** A schema with up to so many levels below it. */
function nested(levels: number): CaseArbitrary {
  if (levels === 0) {
    return scalar;
  }
  const below = nested(levels - 1);
  return fc.oneof(
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: objectCase(below) },
    { weight: 1, arbitrary: arrayCase(below) },
    { weight: 1, arbitrary: unionCase(below) },
  );
}

interface Tree {
  readonly label: string;
  readonly children: readonly Tree[];
}

function trees(levels: number): fc.Arbitrary<Tree> {
  const children: fc.Arbitrary<Tree[]> =
    levels === 0 ? fc.constant([]) : fc.array(trees(levels - 1), { maxLength: 3 });
  return fc.record({ label: prose, children });
}

const tree = trees(3);
const node = nested(2);

const TREE = {
  type: 'object',
  properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  required: ['label', 'children'],
  additionalProperties: false,
};

const recursive: CaseArbitrary = fc.oneof(
  of({ $ref: '#/$defs/tree', $defs: { tree: TREE } }, tree),
  of(
    {
      type: 'object',
      properties: { root: { $ref: '#/$defs/tree' } },
      required: ['root'],
      $defs: { tree: TREE },
    },
    tree.map((root) => ({ root })),
  ),
);

/** Schemas with an object at their root, as the format demands it of strict ones, and a list now and then. */
const root = fc.oneof(
  { weight: 6, arbitrary: objectCase(node) },
  { weight: 1, arbitrary: arrayCase(objectCase(node)) },
  { weight: 1, arbitrary: unionCase(node) },
  { weight: 2, arbitrary: recursive },
);

/** The same cases at every run. */
export function schemaCases(count: number): SchemaCase[] {
  return fc.sample(root, { numRuns: count, seed: 7 });
}
