import { dereference } from '@cfworker/json-schema';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { boundedSchema } from './bounded-schema.js';
import { SchemaJudge } from './schema-judge.js';

/** A validator that shares no code with this one. Of `contains` and `unevaluated…` it has readings of its own. */
const ajv = new Ajv2020({ strict: false });

const name = fc.constantFrom('a', 'b', 'ab');
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<unknown>(0, 1, 2.5, -0, 'a', 'ab', '', null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
})).value;

const keywords = fc.letrec<{ schema: object | boolean }>((tie) => {
  const schema = tie('schema');
  const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
  const named = fc.dictionary(name, schema, { minKeys: 1, maxKeys: 2 });
  const count = fc.nat(3);
  const rules: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constantFrom<unknown>('object', 'array', 'string', 'integer', 'number', ['null', 'boolean']),
    const: value,
    enum: fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) }),
    $ref: fc.constantFrom('#/$defs/x', '#/$defs/y'),
    not: schema,
    anyOf: schemas,
    allOf: schemas,
    oneOf: schemas,
    if: schema,
    then: schema,
    else: schema,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    propertyNames: schema,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 }),
    dependentSchemas: named,
    properties: named,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$', '.'), schema, { minKeys: 1, maxKeys: 2 }),
    additionalProperties: schema,
    minProperties: count,
    prefixItems: schemas,
    items: schema,
    uniqueItems: fc.boolean(),
    maxItems: count,
    minimum: fc.constantFrom(0, 1, 2),
    multipleOf: fc.constantFrom(1, 0.5),
    maxLength: count,
    pattern: fc.constantFrom('^a', 'b$'),
  };
  const part = fc
    .uniqueArray(fc.constantFrom(...Object.keys(rules)), { maxLength: 4 })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((key) => [key, rules[key]!]))));
  return { schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), part) };
}).schema;

const scalarSchema = fc.constantFrom<object>(
  { type: 'string' },
  { properties: { a: true } },
  { minItems: 1 },
);
const anySchema = fc
  .tuple(keywords, scalarSchema, scalarSchema)
  .map(([schema, x, y]) => ({ allOf: [schema], $defs: { x, y } }));

function asSent<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function asJson<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return values.map(asSent);
}

/** Passes over schemas of which the validator makes code that does not run: it uses variables that are declared elsewhere. */
function verdict(isValid: (one: unknown) => unknown, one: unknown): unknown {
  try {
    return isValid(one);
  } catch {
    return fc.pre(false);
  }
}

describe('SchemaJudge, for any schema', () => {
  it('judges values as another validator does', () => {
    fc.assert(
      fc.property(asJson(anySchema), asJson(fc.array(value, { maxLength: 5 })), (schema, values) => {
        const isValid = ajv.compile(asSent(schema));
        const checked = boundedSchema(schema);
        const judge = new SchemaJudge(dereference(checked), '2020-12');
        for (const one of values) {
          expect(judge.fault(one, checked) === undefined).toBe(verdict(isValid, one));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
