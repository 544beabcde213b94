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
    [
      { a: { aliases: ['x*y'] } },
      'models.a.aliases: must be a list of names, or of beginnings of names and *',
    ],
    [{ a: { aliases: 'x' } }, 'models.a.aliases: must be a list of names, or of beginnings of names and *'],
    [{ a: { aliases: [7] } }, 'models.a.aliases: must be a list of names, or of beginnings of names and *'],
    [
      { a: { aliases: ['**'] } },
      'models.a.aliases: must be a list of names, or of beginnings of names and *',
    ],
    [{ a: { modalities: ['image'] } }, 'models.a.modalities: must include text'],
    [
      { a: { modalities: ['text', 'smell'] } },
      'models.a.modalities: must be a list of text, image, file, audio, video',
    ],
    [{ a: { modalities: 'text' } }, 'models.a.modalities: must be a list of text, image, file, audio, video'],
    [{ a: { upstreamModel: '' } }, 'models.a.upstreamModel: must be text that is not empty'],
    [{ a: { contextWindow: 1.5 } }, 'models.a.contextWindow: must be a whole number above 0'],
    [{ a: { contextWindow: 0 } }, 'models.a.contextWindow: must be a whole number above 0'],
    [{ a: { maxOutputTokens: '5' } }, 'models.a.maxOutputTokens: must be a whole number above 0'],
    [{ a: JSON.parse('{"constructor": 1}') as object }, 'models.a: constructor is not known'],
    [
      { a: { upstreamModel: { constructor: 'x' } } },
      'models.a.upstreamModel: must be text that is not empty',
    ],
    [{ a: null }, 'models.a: must be a table'],
    [{ a: { upstreamModel: null } }, 'models.a.upstreamModel: must be text that is not empty'],
    [{ '': {} }, 'models: a name must have 1 to 200 characters'],
    [[], 'models must be a table of models'],
    [{ a: { aliases: ['b'] }, b: {} }, 'models: the name b stands for more than one model'],
    [
      { a: { aliases: ['c*'] }, b: { aliases: ['c*'] } },
      'models: the name c* stands for more than one model',
    ],
  ])('refuses %j', (table, problem) => {
    expect(parseModelTable(table)).toEqual({ problems: [problem] });
  });
});
