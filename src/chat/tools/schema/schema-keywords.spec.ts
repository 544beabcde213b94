import { describe, expect, it } from '@jest/globals';
import { PatternMatcher } from './pattern-matcher.js';
import { commonValues, declaredSchemas } from './schema-keywords.js';

describe('commonValues', () => {
  it.each<[unknown[], unknown[], unknown[]]>([
    [
      ['a', 'b', 'c'],
      ['c', 'b'],
      ['b', 'c'],
    ],
    [
      [1, '1', null, true],
      ['1', true],
      ['1', true],
    ],
    [[{ a: [1] }, {}], [{ a: [1] }], [{ a: [1] }]],
    [['a'], ['b'], []],
  ])('of %j and %j is %j', (values, others, common) => {
    expect(commonValues(values, others)).toEqual(common);
  });

  it('serializes each value once, so that long lists take linear time', () => {
    let written = 0;
    const list = Array.from({ length: 500 }, (_, id) => ({
      toJSON: () => {
        written++;
        return id;
      },
    }));
    expect(commonValues(list, list)).toHaveLength(500);
    expect(written).toBe(1000);
  });
});

describe('declaredSchemas', () => {
  const schema = { type: 'string' };

  it('finds the schemas of a member by its name and by patterns', () => {
    const part = {
      properties: { x_a: schema },
      patternProperties: { '^x_': {}, a$: true, '^y': {}, '(': {} },
    };
    expect(declaredSchemas(part, 'x_a', new PatternMatcher())).toEqual([schema, {}, true]);
    expect(declaredSchemas(part, 'toString', new PatternMatcher())).toEqual([]);
  });
});
