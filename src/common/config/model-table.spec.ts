import { describe, expect, it } from '@jest/globals';
import { parseModelTable } from './model-table.js';

describe('parseModelTable', () => {
  it('fills in what a model leaves out', () => {
    expect(parseModelTable({ a: {}, b: { aliases: ['c', 'd-*'], thinking: false } })).toEqual({
      models: {
        a: { contextWindow: 1_000_000, maxOutputTokens: 65_536, thinking: true },
        b: { contextWindow: 1_000_000, maxOutputTokens: 65_536, thinking: false, aliases: ['c', 'd-*'] },
      },
      problems: [],
    });
    expect(parseModelTable(undefined)).toEqual({ problems: [] });
  });

  it.each<[unknown, string]>([
    [{}, 'models must name at least one model'],
    [{ a: { aliases: ['x*y'] } }, 'models.a.aliases.0: must be a name, or the beginning of names and *'],
    [{ a: { aliases: ['**'] } }, 'models.a.aliases.0: must be a name, or the beginning of names and *'],
    [{ a: { aliases: ['b'] }, b: {} }, 'models: the name b stands for more than one model'],
    [
      { a: { aliases: ['c*'] }, b: { aliases: ['c*'] } },
      'models: the name c* stands for more than one model',
    ],
  ])('refuses %j', (table, problem) => {
    expect(parseModelTable(table)).toEqual({ problems: [problem] });
  });
});
