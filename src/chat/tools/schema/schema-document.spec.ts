import { describe, expect, it, jest } from '@jest/globals';
import { ArgumentSchema } from './argument-schema.js';
import { PatternMatcher } from './pattern-matcher.js';

const list = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));

describe('patterns for names of members', () => {
  it('are tried once for each name, whatever is asked', () => {
    const patterns = new PatternMatcher();
    const matches = jest.spyOn(patterns, 'matches');
    const schema = new ArgumentSchema(
      {
        patternProperties: { '^n_': { type: 'integer' }, '^b_': { type: 'boolean' } },
        additionalProperties: false,
      },
      patterns,
    );
    const json = '{"n_a":"1","b_a":"true"}';
    expect(schema.fromJson(json).json).toBe('{"n_a":1,"b_a":true}');
    expect(schema.fromJson(json).json).toBe('{"n_a":1,"b_a":true}');
    expect(schema.property('n_a').fromText('5').json).toBe('5');
    expect(matches).toHaveBeenCalledTimes(4);
  });

  it('share what they may take, so that no further one is tried behind those of another tool', () => {
    const patterns = new PatternMatcher(2 ** 20);
    const tool = (pattern: string) =>
      new ArgumentSchema({ patternProperties: { [pattern]: { type: 'integer' } } }, patterns);
    expect(tool('^n_').fromJson('{"n_a":"1"}').json).toBe('{"n_a":1}');
    const costly = tool('a*b*c');
    list(3000, (at) => costly.fromJson(JSON.stringify({ ['a'.repeat(60) + String(at)]: '1' })));
    expect(patterns.isSpent).toBe(true);
    expect(tool('^n_').fromJson('{"n_a":"1"}').json).toBe('{"n_a":"1"}');
  });
});

describe('listed values', () => {
  it('are read once for all alternatives that share them', () => {
    const read = jest.fn(() => 'json');
    const schema = new ArgumentSchema({
      properties: {
        a: { allOf: [{ enum: list(10, () => ({ toJSON: read })) }, { anyOf: list(30, () => ({})) }] },
      },
    });
    schema.fromJson('{"a":{}}');
    expect(read.mock.calls.length).toBeLessThan(100);
  });
});
