import { describe, expect, it } from '@jest/globals';
import { commonValues } from './schema-keywords.js';

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
  ])('of %j and %j are %j', (values, others, common) => {
    expect(commonValues(values, others)).toEqual(common);
  });

  it('writes each value down once, so that long lists take no time that grows with its square', () => {
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
