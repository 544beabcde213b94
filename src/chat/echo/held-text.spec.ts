import { describe, expect, it } from '@jest/globals';
import { HeldText } from './held-text.js';

describe('HeldText', () => {
  it('gives back what it was given, in parts of any size', () => {
    const whole = Array.from({ length: 3000 }, (_, at) => String.fromCharCode(0x61 + (at % 26))).join('');
    const held = new HeldText();
    let given = 0;
    let taken = '';
    for (let step = 1; given < whole.length; step = (step % 7) + 1) {
      held.add(whole.slice(given, given + step));
      given = Math.min(whole.length, given + step);
      const count = held.length - 3;
      if (count > 0) {
        expect(held.codeAt(count - 1)).toBe(whole.charCodeAt(taken.length + count - 1));
        taken += held.take(count);
      }
    }
    expect(held.length).toBe(3);
    expect(taken + held.take(3)).toBe(whole);
    held.add('x');
    held.clear();
    expect(held.length).toBe(0);
  });
});
