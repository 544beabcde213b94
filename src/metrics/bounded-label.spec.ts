import { describe, expect, it } from '@jest/globals';
import { BoundedLabel } from './bounded-label.js';

describe('BoundedLabel', () => {
  it('keeps the first 50 values and maps later ones to `other`', () => {
    const label = new BoundedLabel();
    const words = Array.from({ length: 60 }, (_, at) => `w${at}`);
    expect(words.map((word) => label.of(word))).toEqual(words.map((word, at) => (at < 50 ? word : 'other')));
    expect([label.of('w49'), label.of('w50')]).toEqual(['w49', 'other']);
    label.free('w49');
    expect([label.of('w50'), label.of('w49')]).toEqual(['w50', 'other']);
  });
});
