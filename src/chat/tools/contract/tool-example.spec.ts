import { describe, expect, it } from '@jest/globals';
import { TEXT_RULES } from './tool-example.js';

describe('TEXT_RULES', () => {
  it.each(TEXT_RULES)('match the name $example first with $names', ({ example, text }) => {
    expect(TEXT_RULES.find(({ names }) => names.test(example))?.text).toBe(text);
  });
});
