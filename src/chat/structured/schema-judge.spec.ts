import { dereference } from '@cfworker/json-schema';
import { describe, expect, it } from '@jest/globals';
import { cpuMs, expectCostRatio } from '../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../test/support/watch/machine-pace.js';
import { SchemaJudge } from './schema-judge.js';

const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));
const LONGEST = 'a'.repeat(128);

/** What is said of a value; undefined if it conforms, or takes too long. */
function said(schema: object, value: unknown): string | undefined {
  const found = new SchemaJudge(dereference(schema), '2020-12').fault(value, schema);
  return found && `${found.path.join('.')}: ${found.text()}`;
}

describe('SchemaJudge', () => {
  it.each<[object, unknown, string | undefined]>([
    [{ contains: { type: 'string' } }, [1, 'a'], undefined],
    [
      { contains: { type: 'string' }, minContains: 2 },
      [1, 'a'],
      ': Array must contain at least 2 items matching schema. 1 items were found.',
    ],
    [
      { contains: { type: 'string' }, maxContains: 1 },
      ['b', 'a'],
      ': Array must contain at most 1 items matching schema. 2 items were found.',
    ],
    [{ contains: { type: 'string' }, minContains: 0 }, [], undefined],
    [{ contains: { type: 'string' }, unevaluatedItems: false }, ['a'], undefined],
    [{ contains: { type: 'string' }, unevaluatedItems: false }, ['a', 1], '1: False boolean schema.'],
    [{ items: [{ type: 'string' }], additionalItems: false }, ['a', 1], '1: False boolean schema.'],
    [
      { anyOf: [{ properties: { a: true } }, { required: ['c'] }], unevaluatedProperties: false },
      { a: 1, b: 2 },
      'b: False boolean schema.',
    ],
    [
      { $ref: '#/$defs/x', $defs: { x: { properties: { a: true } } }, unevaluatedProperties: false },
      { a: 1 },
      undefined,
    ],
    [
      { not: { items: false }, unevaluatedItems: { type: 'null' } },
      [1],
      '0: Instance type "number" is invalid. Expected "null".',
    ],
    [{ uniqueItems: true }, [{ a: 1, b: [2] }, 1, { b: [2], a: 1 }], ': Duplicate items at indexes 0 and 2.'],
    [{ uniqueItems: true }, [1, '1', true, 'true', null], undefined],
    [{ dependencies: { a: ['b'] } }, { a: 1 }, ': Instance has "a" but does not have "b".'],
    [{ properties: { a: { items: { maximum: 1 } } } }, { a: [1, 2] }, 'a.1: 2 is greater than 1.'],
    [{ pattern: '^(a|b)+$' }, 'c', undefined],
    [{ not: { pattern: '^(a|b)+$' } }, 'c', undefined],
    [{ not: { pattern: '^a' } }, 'a', ': Instance matched "not" schema.'],
    [{ oneOf: [{ pattern: '^(a|b)+$' }, { minLength: 1 }] }, 'c', undefined],
    [{ if: { pattern: '^(a|b)+$' }, then: false, else: false }, 'c', undefined],
    [{ if: { pattern: '^(a|b)+$' }, then: false, else: false }, 1, ': False boolean schema.'],
    [{ if: { pattern: '^(a|b)+$', maxLength: 0 }, else: false }, 'c', ': False boolean schema.'],
    [{ contains: { pattern: '^(a|b)+$' }, maxContains: 1 }, ['c', 'd'], undefined],
    [
      { contains: { pattern: '^(a|b)+$' }, minContains: 3 },
      ['c', 'd'],
      ': Array must contain at least 3 items matching schema. 2 items were found.',
    ],
    [{ oneOf: [{}, {}] }, 'c', ': Instance does not match exactly one subschema (2 matches).'],
    [{ patternProperties: { '^(a|b)+$': true }, additionalProperties: false }, { c: 1 }, undefined],
    [{ format: '__defineGetter__', type: 'string' }, 'c', undefined],
    [{ format: 'url' }, 'https://example.org/a?b=c', undefined],
    [{ format: 'url' }, 'http://localhost:8080', undefined],
    [{ format: 'url' }, `http://${'a'.repeat(40)}!`, undefined],
    [{ format: 'url' }, 'mailto:a@b.de', ': String does not match format "url".'],
    [{ format: 'url' }, 'http://a b', ': String does not match format "url".'],
    [{ format: 'url' }, 'http://', ': String does not match format "url".'],
    [{ format: 'url', type: 'integer' }, 'a', ': Instance type "string" is invalid. Expected "integer".'],
    [{ format: 'url' }, 1, undefined],
  ])('says of %j and %j: %s', (schema, value, sentence) => {
    expect(said(schema, value)).toBe(sentence);
  });

  it.each<[object, unknown]>([
    [{ required: 5, enum: {}, properties: [], items: 3, allOf: {}, pattern: 7 }, { a: 1 }],
    [{ items: [5, null], contains: true, minContains: 'x', minItems: {} }, [1, 2]],
    [{ dependentRequired: 3, patternProperties: 'x', propertyNames: 4, multipleOf: '2' }, { a: 1 }],
  ])('passes over keywords that say nothing, such as %j', (schema, value) => {
    expect(said(schema, value)).toBeUndefined();
  });

  it.each<[string, (size: number) => object, (size: number) => unknown]>([
    ['distinct rows', () => ({ uniqueItems: true }), (size) => list(size, (c) => ({ a: 1, b: 2, c }))],
    [
      'a long enumeration',
      (size) => ({ items: { enum: list(size, (at) => `v${at}`) } }),
      (size) => list(size, (at) => `v${at}`),
    ],
    [
      'an enumeration of rows',
      (size) => ({ items: { enum: list(size, (at) => ({ a: at })) } }),
      (size) => list(size, (at) => ({ a: at })),
    ],
  ])('judges %s in linear time', (_what, schema, value) => {
    const cost = (size: number): number => {
      const [asked, given] = [schema(size), value(size)];
      return cpuMs(() => expect(said(asked, given)).toBeUndefined());
    };
    expectCostRatio({ small: () => cost(1000), large: () => cost(4000) }, 8);
  });

  it.each<[string, object, unknown]>([
    [
      'parts for members of each item',
      { items: { allOf: list(3000, (at) => ({ properties: { [`a${at}`]: {} } })) } },
      list(2000, () => ({})),
    ],
    ['parts for each item', { items: { allOf: list(3000, () => ({ minimum: 0 })) } }, list(2000, () => 1)],
    ['parts for a long text', { allOf: list(5000, () => ({ maxLength: 1e9 })) }, 'a'.repeat(200_000)],
    [
      'parts for many members',
      { allOf: list(5000, () => ({ additionalProperties: true })) },
      Object.fromEntries(list(20_000, (at) => [`k${at}`, 1])),
    ],
    ['parts for many items', { allOf: list(5000, () => ({ items: true })) }, list(50_000, () => 1)],
    ['parts that say nothing of many items', { allOf: list(5000, () => ({})) }, list(100_000, () => 1)],
    [
      'expressions for one that is a text',
      { allOf: list(5000, () => ({ format: 'regex' })) },
      '[\\p{L}\\p{N}]'.repeat(30),
    ],
    [
      'references that share others',
      {
        $ref: '#/$defs/d20',
        $defs: Object.fromEntries(
          list(21, (at) => [
            `d${at}`,
            at === 0 ? {} : { allOf: list(2, () => ({ $ref: `#/$defs/d${at - 1}` })) },
          ]),
        ),
      },
      1,
    ],
  ])('gives up where a schema has too many %s', async (_what, schema, value) => {
    const givesUp = (): void => expect(() => said(schema, value)).toThrow(RangeError);
    await cpuPace.expectOnceWithin(() => cpuMs(givesUp), 2500);
  });

  const longName = 'k'.repeat(50_000);
  const names = list(4000, (at) => `x${at}`);
  const rules = Object.fromEntries(names.map((name) => [name, []]));

  it.each<[string, object, unknown]>([
    ['names that others require', { dependentRequired: { a: ['b'], ...rules } }, { a: 1 }],
    ['members', { additionalProperties: false }, Object.fromEntries(names.map((name) => [name, 1]))],
    ['types', { type: [...names, 'y'.repeat(50_000)] }, 1],
    ['characters of a name', { dependentRequired: { [longName]: ['b'] } }, { [longName]: 1 }],
  ])('judges many times by many %s', async (_what, part, value) => {
    const schema = {
      items: { anyOf: [...list(30, () => ({ $ref: '#/$defs/part' })), true] },
      $defs: { part },
    };
    const values = list(500, () => value);
    await cpuPace.expectOnceWithin(() => cpuMs(() => judgedOrGivenUp(schema, values)), 1000);
  });

  it.each<[string, object, unknown]>([
    [
      'patterns for each item',
      { items: { allOf: list(64, (at) => ({ not: { pattern: `a*a*a?a?b${at}` } })) } },
      list(100, () => LONGEST),
    ],
    [
      'patterns for each name',
      { patternProperties: Object.fromEntries(list(64, (at) => [`a*a*a?a?b${at}`, { type: 'null' }])) },
      Object.fromEntries(list(300, (at) => [`${'a'.repeat(120)}${at}`, 1])),
    ],
    ['the expression of a format', { format: 'uri' }, `http://${'a:'.repeat(50_000)}`],
  ])('leaves out %s where it would take too long', async (_what, schema, value) => {
    await cpuPace.expectOnceWithin(() => cpuMs(() => said(schema, value)), 1000);
  });

  it('judges all of a large answer', () => {
    const row = {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string', pattern: '^[a-z]+-[0-9]+$' },
        on: { type: 'boolean' },
      },
      required: ['id', 'name', 'on'],
      additionalProperties: false,
    };
    const rows = list(10_000, (id) => ({ id, name: `row-${id}`, on: true }));
    expect(said({ items: row }, rows)).toBeUndefined();
    expect(said({ items: row }, [...rows, { id: 1, name: 'row', on: true }])).toBe(
      '10000.name: String does not match pattern.',
    );
  });
});

function judgedOrGivenUp(schema: object, value: unknown): void {
  try {
    expect(said(schema, value)).toBeUndefined();
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
  }
}
