import { describe, expect, it } from '@jest/globals';
import { heldBytes } from '../../../../test/support/watch/held-memory.js';
import { GrowingText } from './growing-text.js';

describe('GrowingText', () => {
  it.each([0, 1, 511, 512, 513, 1200])('is the text of its %i pieces, whenever it is read', (count) => {
    const growing = new GrowingText();
    let expected = '';
    for (let index = 0; index < count; index++) {
      growing.add(`${index} `);
      expected += `${index} `;
      if (index % 100 === 0) {
        expect(growing.text).toBe(expected);
      }
    }
    expect({ text: growing.text, length: growing.length }).toEqual({
      text: expected,
      length: expected.length,
    });
  });

  it('can be set, and grows on from there', () => {
    const growing = new GrowingText();
    growing.add('forgotten');
    growing.text = 'new';
    growing.add(' text');
    expect({ text: growing.text, length: growing.length }).toEqual({ text: 'new text', length: 8 });
  });

  it('holds little more than its text', () => {
    const pieces = 400_000;
    const before = heldBytes();
    const growing = new GrowingText();
    for (let index = 0; index < pieces; index++) {
      growing.add('word ');
    }
    expect(heldBytes() - before).toBeLessThan(2 * growing.length);
    expect(growing.length).toBe(pieces * 'word '.length);
  });
});
