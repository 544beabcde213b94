import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonBeginning } from './json-beginning.js';

it('is the JSON of a value, or its beginning', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(60), (json, limit) => {
      const value: unknown = JSON.parse(json);
      expect(jsonBeginning(value, limit)).toBe(JSON.stringify(value).slice(0, limit));
    }),
  );
});

it('looks at no more than it returns', () => {
  let looked = 0;
  const items = Array.from({ length: 1000 }, () => ({
    get name() {
      looked += 1;
      return 'x'.repeat(10);
    },
  }));
  expect(jsonBeginning(items, 50)).toHaveLength(50);
  expect(looked).toBeLessThan(5);
});
