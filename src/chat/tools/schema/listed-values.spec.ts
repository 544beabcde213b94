import { describe, expect, it, jest } from '@jest/globals';
import { ListedValues } from './listed-values.js';
import { parseSourceNode } from './source-node.js';

const has = (listed: ListedValues, json: string): boolean => listed.has(parseSourceNode(json)!);

describe('ListedValues', () => {
  it('finds objects and lists whatever the order of their members', () => {
    const listed = new ListedValues([{ a: 1, b: [{ c: 2, d: 3 }] }, [1, 2], 'x', 1, null]);
    expect(has(listed, '{"b":[{"d":3,"c":2}],"a":1.0}')).toBe(true);
    expect(has(listed, '[1,2]')).toBe(true);
    expect(has(listed, '[2,1]')).toBe(false);
    expect(has(listed, '{"a":1}')).toBe(false);
    expect(has(listed, '"{\\"a\\":1}"')).toBe(false);
    expect([has(listed, '"x"'), has(listed, '1'), has(listed, 'null'), has(listed, '"1"')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('reads a listed object once, however many values are looked up', () => {
    const read = jest.fn(() => 1);
    const values = Array.from({ length: 100 }, (_, id) => ({
      get counted() {
        return read();
      },
      id,
    }));
    const listed = new ListedValues(values);
    for (let id = 0; id < 100; id++) {
      expect(has(listed, `{"counted":1,"id":${id}}`)).toBe(true);
    }
    expect(read).toHaveBeenCalledTimes(100);
  });
});
