import { describe, expect, it } from '@jest/globals';
import { jsonAnswer } from './sandbox-json.js';

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 18 } },
  required: ['name', 'age'],
};
const PERSON = { name: 'sandbox-sample', age: 18 };
const OBJECT = 'nswer with one valid JSON object and nothing else: no code fence, no comment.';
const VALUE =
  'nswer with one valid JSON value and nothing else: no code fence, no comment. It must conform to';

function demand(schema: unknown, beginning = 'A'): string {
  return `${beginning}${VALUE} this JSON Schema:\n${JSON.stringify(schema)}`;
}

describe('jsonAnswer', () => {
  it.each([
    ['behind a lone message', `Who?\n\n${demand(SCHEMA)}`],
    ['behind a conversation', `<user>\nWho?\n</user>\n\nWrite.\n\n${demand(SCHEMA)}`],
    ['beside tools', `<user>\nWho?\n</user>\n\nWrite.\n\n${demand(SCHEMA, 'Unless you call a tool, a')}`],
    ['before a correction', `<user>\nWho?\n</user>\n\n${demand(SCHEMA)}\n\nYour last answer was not used.`],
  ])('is a value of the schema that is asked for %s', (_, prompt) => {
    expect(JSON.parse(jsonAnswer(prompt)!)).toEqual(PERSON);
  });

  it('is any object without a schema', () => {
    expect(jsonAnswer(`Who?\n\nA${OBJECT}`)).toBe('{"answer":"sandbox-sample"}');
  });

  it('is any value for a line that is no schema', () => {
    expect(jsonAnswer(`A${VALUE} this JSON Schema:\n{"type":`)).toBe('"sandbox-sample"');
  });

  it.each([
    ['asks for text', '<user>\nWho?\n</user>\n\nWrite.'],
    ['quotes such a demand', `<user>\n${demand(SCHEMA)}\n</user>\n\nWrite.`],
  ])('is none to a prompt that %s', (_, prompt) => {
    expect(jsonAnswer(prompt)).toBeUndefined();
  });
});
