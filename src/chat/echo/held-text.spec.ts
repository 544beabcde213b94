import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HeldText } from './held-text.js';

describe('HeldText', () => {
  it('gives back what it was given, whatever the pieces and the parts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ maxLength: 40 }), fc.nat(60)), { maxLength: 60 }),
        (steps) => {
          const held = new HeldText();
          let taken = '';
          for (const [piece, count] of steps) {
            held.add(piece);
            const part = held.take(Math.min(count, held.length));
            expect(part.length).toBeLessThanOrEqual(count);
            taken += part;
          }
          expect(taken + held.take(held.length)).toBe(steps.map(([piece]) => piece).join(''));
          expect(held.length).toBe(0);
        },
      ),
    );
  });

  it('keeps its order over thousands of pieces', () => {
    const pieces = Array.from({ length: 3000 }, (_, at) => `${at};`);
    const held = new HeldText();
    let taken = '';
    for (const piece of pieces) {
      held.add(piece);
      taken += held.take(Math.max(0, held.length - 40));
    }
    expect(held.length).toBeLessThanOrEqual(45);
    expect(taken + held.take(held.length)).toBe(pieces.join(''));
  });

  it('takes short pieces whole and cuts long ones', () => {
    const held = new HeldText();
    held.add('four');
    held.add('more');
    expect([held.take(3), held.take(7), held.length]).toEqual(['', 'four', 4]);
    held.add('a piece that is longer than that');
    expect([held.take(11), held.length]).toEqual(['morea piece', 25]);
  });

  it('cuts no surrogate pair', () => {
    const held = new HeldText();
    held.add('\u{1F600}'.repeat(20));
    expect([held.take(3), held.length]).toEqual(['\u{1F600}', 38]);
  });

  it('holds nothing after it was cleared', () => {
    const held = new HeldText();
    held.add('x');
    held.clear();
    expect([held.length, held.take(0)]).toEqual([0, '']);
  });
});
