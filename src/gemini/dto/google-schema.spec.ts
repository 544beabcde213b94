import { expect, it } from '@jest/globals';
import { toJsonSchema } from './google-schema.js';

it.each<[unknown, unknown]>([
  [
    { type: 'STRING', format: 'date-time' },
    { type: 'string', format: 'date-time' },
  ],
  [{ type: 'TYPE_UNSPECIFIED', title: 'a' }, { title: 'a' }],
  [
    {
      type: 'OBJECT',
      properties: { any_of: { type: 'NUMBER' } },
      propertyOrdering: ['any_of'],
      required: ['any_of'],
    },
    { type: 'object', properties: { any_of: { type: 'number' } }, required: ['any_of'] },
  ],
  [
    { any_of: [{ type: 'STRING' }, { type: 'INTEGER', minimum: 1 }], nullable: true },
    { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }, { type: 'null' }] },
  ],
  [
    { type: 'STRING', enum: ['A', 'B'], nullable: true },
    { type: ['string', 'null'], enum: ['A', 'B', null] },
  ],
  [
    { type: 'ARRAY', items: { type: 'BOOLEAN' }, max_items: '3' },
    { type: 'array', items: { type: 'boolean' }, maxItems: 3 },
  ],
  [
    { type: 5, items: 'a', anyOf: 'b', properties: [] },
    { type: 5, items: 'a', anyOf: 'b', properties: [] },
  ],
  ['no schema', 'no schema'],
])('has %j as %j', (schema, expected) => {
  expect(toJsonSchema(schema)).toEqual(expected);
});
