import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { areFoundTexts } from './found-texts.js';

const found = range(1, 14).map((row) => `"passage ${row} says ${'what to do then '.repeat(6)}"`);

describe('areFoundTexts', () => {
  it.each(['results.snippet', 'payload.text', 'observation'])(
    'takes long texts called %s for found ones',
    (name) => {
      expect(areFoundTexts(14, new Map([[name, found]]))).toBe(true);
    },
  );

  it.each([
    ['texts of another name', 14, 'description', found],
    ['short texts', 14, 'text', range(1, 14).map((row) => `"what to do ${row}"`)],
    ['texts that come again', 14, 'text', found.map((text, row) => found[row % 3] ?? text)],
    ['words without blanks', 14, 'content', range(1, 14).map((row) => `"${String(row).repeat(60)}"`)],
    ['many rows', 200, 'text', range(1, 200).map((row) => `${found[0] ?? ''} ${row}`)],
  ])('takes %s for none', (_name, total, name, cells) => {
    expect(areFoundTexts(total, new Map([[name, cells]]))).toBe(false);
  });
});
