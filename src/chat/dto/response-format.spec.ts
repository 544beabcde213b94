import { describe, expect, it } from '@jest/globals';
import { type FormatFields, readResponseFormat } from './response-format.js';

const schema = { type: 'object', properties: { a: { type: 'integer' } } };
const asSchema = { type: 'json_schema', json_schema: { name: 'answer', schema } };

describe('readResponseFormat', () => {
  it.each<[FormatFields, string]>([
    [{ response_format: { type: 'json_object', schema } }, 'response_format.schema'],
    [{ response_format: { type: 'json_schema', name: 'answer', schema } }, 'response_format.schema'],
    [{ json_schema: schema }, 'json_schema'],
    [{ guided_json: schema }, 'guided_json'],
    [{ guided_json: JSON.stringify(schema) }, 'guided_json'],
    [{ structured_outputs: { json: schema } }, 'structured_outputs.json'],
    [{ response_format: { type: 'text' }, guided_json: schema }, 'guided_json'],
  ])('reads the schema in %j', (fields, schemaField) => {
    expect(readResponseFormat(fields)).toEqual({ format: asSchema, schemaField });
  });

  it('prefers the field of the format itself', () => {
    const own = { type: 'json_schema', json_schema: { schema: {}, strict: true } };
    expect(readResponseFormat({ response_format: own, guided_json: schema })).toEqual({
      format: own,
      schemaField: 'response_format.json_schema.schema',
    });
    expect(readResponseFormat({ response_format: { type: 'json_object', schema: null } }).format).toEqual({
      type: 'json_object',
    });
  });

  it('takes other demands for none on the form', () => {
    const fields = { structured_outputs: { choice: ['a'] }, guided_json: null, json_schema: null };
    expect(readResponseFormat(fields).format).toEqual({ type: 'text' });
  });

  it.each<[FormatFields, string]>([
    [{ response_format: { type: 'json_object', schema: 5 } }, 'response_format.schema'],
    [{ guided_json: 'no JSON' }, 'guided_json'],
    [{ json_schema: [] }, 'json_schema'],
    [{ structured_outputs: { json: '[]' } }, 'structured_outputs.json'],
  ])('refuses %j', (fields, param) => {
    expect(() => readResponseFormat(fields)).toThrow(`${param} must be a JSON Schema object.`);
  });
});
