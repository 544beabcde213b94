import { describe, expect, it } from '@jest/globals';
import { boundedSchema } from './bounded-schema.js';

describe('boundedSchema', () => {
  it('keeps the first 64 patterns, and restricts no other members where one is left out', () => {
    const patterns = Array.from({ length: 40 }, (_, index) => `^a${index}`);
    const tried = (pattern: string) => ({ allOf: [{ if: { maxLength: 128 }, then: { pattern } }] });
    const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]));
    expect(
      boundedSchema({
        items: patterns.map((pattern) => ({ pattern })),
        not: { patternProperties: named(patterns), additionalProperties: false },
        contains: { pattern: '^b' },
      }),
    ).toEqual({
      items: patterns.map(tried),
      not: { patternProperties: named(patterns.slice(0, 24)), additionalProperties: true },
      contains: {},
    });
  });

  it('takes no data and no member for a part with an id', () => {
    const nest = (levels: number, inner: (below: object) => object): object =>
      levels === 0 ? {} : inner(nest(levels - 1, inner));
    const schema = {
      ...nest(8, (below) => ({ properties: { id: { type: 'string' }, child: below } })),
      const: nest(8, (below) => ({ id: 1, child: below })),
    };
    expect(boundedSchema({ ...schema, examples: [schema.const] })).toEqual(schema);
  });

  it('gives members of any name to the copy only', () => {
    const schema = JSON.parse('{"__proto__":{"$id":"a"},"type":"object"}') as Record<string, unknown>;
    expect(JSON.stringify(boundedSchema(schema))).toBe(JSON.stringify(schema));
  });

  it('turns recursive references into plain ones', () => {
    expect(
      boundedSchema({ $recursiveAnchor: true, items: { $recursiveRef: '#' }, not: { $recursiveRef: 'a' } }),
    ).toEqual({ items: { $ref: '#' }, not: {} });
  });
});
