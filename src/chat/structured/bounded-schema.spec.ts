import { describe, expect, it } from '@jest/globals';
import { type JsonObject } from '../../common/text/json-object.js';
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

  const members = (count: number, schema: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema]));
  const long = 'x'.repeat(2000);

  it.each<[string, JsonObject]>([
    ['an endless id', { $id: `http://x/${long}${long}` }],
    ['an endless id of older drafts', { id: [long, long] }],
    ['an endless name', { properties: { [long + long]: true } }],
    ['an endless reference', { $ref: `#${long}${long}` }],
    ['an endless anchor', { $anchor: long + long }],
    ['many parts under a long id', { $id: long, properties: members(2000, true) }],
    ['many parts under a long name', { $defs: { [long]: { properties: members(2000, {}) } } }],
    ['many parts under a name of foreign letters', { $defs: { ['漢'.repeat(700)]: members(2000, {}) } }],
    ['many long references', { properties: members(2000, { $ref: `#/${long}` }) }],
    ['many parts that are read again for each id', nestedIds(4, { properties: members(400, true) })],
  ])('refuses %s', (_, schema) => {
    expect(() => boundedSchema(schema)).toThrow('must have shorter names and ids');
  });

  it('gives types of other dialects their standard names', () => {
    const properties = {
      a: { type: 'STRING' },
      b: { items: [{ type: 'int' }] },
      type: { type: ['float', 'null'] },
    };
    expect(boundedSchema({ type: 'dict', properties })).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { items: [{ type: 'integer' }] },
        type: { type: ['number', 'null'] },
      },
    });
  });

  it('leaves out a type that no dialect has, since any value may be of it', () => {
    const created = { type: 'date', description: 'The day' };
    const v = { anyOf: [{ type: 'string' }, { type: 'any' }, { type: ['float', 'any'] }] };
    const properties = { created, v };
    expect(boundedSchema({ properties, type: ['any', 'null'] })).toEqual({
      properties: { created: { description: 'The day' }, v: { anyOf: [{ type: 'string' }, {}, {}] } },
    });
  });

  it.each([
    ['of one name', { type: 'hiccup' }, '"hiccup"'],
    ['of a list', { type: ['hiccup', 'any'] }, '"hiccup"'],
    ['that is no name', { type: 123 }, 'the type 123, which'],
    ['without end', { type: long }, /^must not have the type "x{50,200}…, which/],
  ])('refuses an answer of a type %s that no dialect has', (_, schema, named) => {
    expect(() => boundedSchema(schema)).toThrow(named);
  });

  it('leaves alone what is called a type outside of schemas', () => {
    const schema = { 'x-form': { type: 'password' }, default: { type: 'b' }, properties: { type: true } };
    expect(boundedSchema(schema)).toEqual(schema);
  });

  it('takes thousands of parts with names as they are written', () => {
    const name = 'https://example.com/schemas/definitions/organisation';
    const row = { $ref: `${name}#/$defs/address`, title: 'Row' };
    const schema = {
      $id: name,
      $defs: { address: {} },
      properties: { rows: { items: [members(4000, row)] } },
    };
    expect(boundedSchema(schema)).toEqual(schema);
  });
});

function nestedIds(levels: number, inner: JsonObject): JsonObject {
  return levels === 0
    ? inner
    : { $id: `http://x/${'a'.repeat(100)}${levels}`, properties: { a: nestedIds(levels - 1, inner) } };
}
