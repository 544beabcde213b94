import { type Schema, Validator } from '@cfworker/json-schema';
import { describe, expect, it } from '@jest/globals';
import { sampleValue } from './sandbox-sample.js';

const MANY_CHARACTERS = 500_000;

const NAMES = [...'abcdef'];
const SELF_CONTAINED = {
  properties: Object.fromEntries(NAMES.map((name) => [name, { $ref: '#' }])),
  required: NAMES,
};

describe('sampleValue', () => {
  it.each<[object, unknown]>([
    [{ type: 'string' }, 'sandbox-sample'],
    [{ type: 'string', minLength: 16 }, 'sandbox-sample..'],
    [{ type: 'string', maxLength: 4 }, 'sand'],
    [{ type: 'string', format: 'uri' }, 'https://example.com/'],
    [{ type: 'integer' }, 1],
    [{ type: 'number', minimum: 3 }, 3],
    [{ type: 'number', exclusiveMinimum: 3, maximum: 4 }, 4],
    [{ type: 'integer', maximum: -2 }, -2],
    [{ type: 'integer', exclusiveMaximum: 0 }, -1],
    [{ type: 'boolean' }, false],
    [{ type: 'null' }, null],
    [{ type: ['null', 'integer'] }, 1],
    [{ enum: ['b', 'a'] }, 'b'],
    [{ const: 5 }, 5],
    [{ type: 'string', default: 'd' }, 'd'],
    [{ anyOf: [{ type: 'null' }, { type: 'boolean' }] }, false],
    [{ oneOf: [{ type: 'null' }] }, null],
    [{ allOf: [{ type: 'integer' }, { minimum: 7 }] }, 7],
    [{ type: 'array', items: { type: 'integer' } }, [1]],
    [{ items: { enum: ['x'] }, minItems: 2 }, ['x', 'x']],
    [
      { type: 'object', properties: { a: { type: 'integer' }, b: {}, c: {} }, required: ['b', 'a'] },
      { b: 'sandbox-sample', a: 1 },
    ],
    [{ properties: { a: {} } }, {}],
    [{ type: 'object', required: ['unknown'] }, { unknown: 'sandbox-sample' }],
    [{}, 'sandbox-sample'],
  ])('makes of %j the value %j', (schema, value) => {
    expect(sampleValue(schema)).toEqual(value);
  });

  it('follows references within the schema', () => {
    const schema = {
      properties: { size: { $ref: '#/$defs/Size' }, other: { $ref: 'https://example.com/x' } },
      required: ['size', 'other'],
      $defs: { Size: { enum: ['large', 'small'] } },
    };
    expect(sampleValue(schema)).toEqual({ size: 'large', other: 'sandbox-sample' });
  });

  it('ends a schema that contains itself', () => {
    const schema = { properties: { next: { $ref: '#/properties' }, self: { $ref: '#/$defs/A' } }, $defs: {} };
    const list = { $defs: { A: { type: 'array', items: { $ref: '#/$defs/A' } } }, $ref: '#/$defs/A' };
    expect(sampleValue(schema)).toEqual({});
    expect(JSON.stringify(sampleValue(list))).toBe('[[[[]]]]');
  });

  it.each<[string, Schema]>([
    ['by its choices', { anyOf: [{ $ref: '#' }, { type: 'null' }] }],
    ['by the length of a list', { type: 'array', items: { $ref: '#' } }],
  ])('makes a value of a schema that contains itself, ended %s', (_, next) => {
    const schema: Schema = { type: 'object', properties: { next, name: {} }, required: ['next', 'name'] };
    expect(new Validator(schema).validate(sampleValue(schema)).valid).toBe(true);
  });

  it.each<[string, object]>([
    ['all of its members', SELF_CONTAINED],
    [
      'lists in lists',
      { items: { items: { type: 'array', items: {}, minItems: 300 }, minItems: 300 }, minItems: 9 },
    ],
    ['fixed values', { items: { const: 'x'.repeat(5000) }, minItems: 1000 }],
    ['names', { items: { required: ['x'.repeat(5000)], type: 'object' }, minItems: 1000 }],
    ['long texts', { items: { type: 'string', minLength: 1000 }, minItems: 1000 }],
  ])('breaks off a sample that %s make too long', (_, schema) => {
    expect(JSON.stringify(sampleValue(schema)).length).toBeLessThan(MANY_CHARACTERS);
  });

  it('fills a list of the largest length', () => {
    const schema: Schema = { type: 'array', items: { type: 'string' }, minItems: 1000 };
    expect(new Validator(schema).validate(sampleValue(schema)).valid).toBe(true);
  });

  it.each([
    true,
    null,
    'object',
    { type: 7 },
    { enum: 'a', required: 'a', properties: [], anyOf: {} },
    { type: 'string', minLength: 1e9, maxLength: '1' },
    { type: 'array', minItems: 1e9, items: [] },
    { type: 'object', required: [7, '__proto__', 'constructor'], properties: null },
  ])('makes something of the odd schema %j', (schema) => {
    expect(JSON.stringify(sampleValue(schema)).length).toBeLessThan(20_000);
  });
});
