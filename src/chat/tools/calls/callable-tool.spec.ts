import { describe, expect, it } from '@jest/globals';
import { cpuMs, expectCostRatio } from '../../../../test/support/watch/cpu-time.js';
import { CallableTool } from './callable-tool.js';

describe('CallableTool', () => {
  it('declares the properties of its schema and no inherited ones', () => {
    const parameters = { type: 'object', properties: { path: { type: 'string' } } };
    const tool = new CallableTool({ type: 'function', function: { name: 'f', parameters } });
    expect(['path', 'mode', 'constructor'].map((key) => tool.declares(key))).toEqual([true, false, false]);
  });

  it('declares nothing without a schema', () => {
    const tool = new CallableTool({ type: 'function', function: { name: 'f' } });
    expect(tool.declares('a')).toBe(false);
  });

  it.each<[string[], string[], string | undefined]>([
    [['path', 'mode'], [], 'path'],
    [['path', 'mode'], ['path'], 'mode'],
    [['path', 'mode'], ['path', 'mode'], undefined],
    [['mode', 'size'], [], undefined],
  ])(
    'with the parameters %j of which %j are given, takes a nameless value for %s',
    (keys, given, expected) => {
      const properties = Object.fromEntries(keys.map((key) => [key, {}]));
      const parameters = { properties, required: ['path'] };
      const tool = new CallableTool({ type: 'function', function: { name: 'f', parameters } });
      expect(tool.soleKeyBeside(new Set(given))).toBe(expected);
    },
  );

  it('finds that parameter in linear time', () => {
    const cost = (count: number): number => {
      const required = Array.from({ length: count }, (_, index) => `key${index}`);
      const properties = Object.fromEntries(required.toReversed().map((key) => [key, {}]));
      const parameters = { properties, required };
      const tool = new CallableTool({ type: 'function', function: { name: 'f', parameters } });
      return cpuMs(() => expect(tool.soleKeyBeside(new Set())).toBeUndefined());
    };
    expectCostRatio({ small: () => cost(4000), large: () => cost(16_000) }, 8);
  });

  it.each<[unknown, unknown[]]>([
    [['path'], ['path']],
    ['path', []],
    [undefined, []],
  ])('given `required`: %j, requires %j', (required, expected) => {
    const tool = new CallableTool({ type: 'function', function: { name: 'f', parameters: { required } } });
    expect(tool.required).toEqual(expected);
  });
});
