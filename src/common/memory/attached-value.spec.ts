import { describe, expect, it } from '@jest/globals';
import { AttachedValue } from './attached-value.js';

describe('AttachedValue', () => {
  it('keeps a value with its owner until it is taken', () => {
    const value = new AttachedValue<object, number>('a value');
    const owner = {};
    expect(value.get(owner)).toBeUndefined();
    value.set(owner, 1);
    value.set(owner, 2);
    expect([value.get(owner), value.take(owner), value.take(owner), value.get(owner)]).toEqual([
      2,
      2,
      undefined,
      undefined,
    ]);
  });

  it('keeps values apart, by their owners and by their kinds, though they have one description', () => {
    const [first, second] = [new AttachedValue<object, string>('a'), new AttachedValue<object, string>('a')];
    const [one, other] = [{}, {}];
    first.set(one, '1');
    second.set(one, '2');
    first.set(other, '3');
    expect([first.get(one), second.get(one), first.get(other), second.get(other)]).toEqual([
      '1',
      '2',
      '3',
      undefined,
    ]);
    expect(JSON.stringify(one)).toBe('{}');
  });
});
