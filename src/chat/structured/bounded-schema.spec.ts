import { describe, expect, it } from '@jest/globals';
import { boundedSchema } from './bounded-schema.js';

describe('boundedSchema', () => {
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
