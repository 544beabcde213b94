import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyCodePoint } from '../../../test/support/hostile/any-code-point.js';
import { SecretBox, SecretBoxError } from './secret-box.js';

const box = new SecretBox(Buffer.alloc(32, 1));

describe('SecretBox', () => {
  it('opens what it sealed, which shows nothing of the secret', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, minLength: 4 }), (secret) => {
        const sealed = box.seal(secret, 'place');
        expect(box.openText(sealed, 'place')).toBe(Buffer.from(secret).toString());
        expect(Buffer.from(sealed).includes(secret)).toBe(false);
      }),
    );
  });

  it('takes bytes as well as text', () => {
    const bytes = Uint8Array.of(0, 255, 128);
    expect([...box.open(box.seal(bytes, 'p'), 'p')]).toEqual([0, 255, 128]);
  });

  it('never seals the same text to the same bytes', () => {
    expect(box.seal('x', 'p')).not.toEqual(box.seal('x', 'p'));
  });

  it('does not open with another key, or at another place', () => {
    const sealed = box.seal('x', 'here');
    expect(() => new SecretBox(Buffer.alloc(32, 2)).open(sealed, 'here')).toThrow(SecretBoxError);
    expect(() => box.open(sealed, 'there')).toThrow(SecretBoxError);
  });

  it('notices a change of any byte, and any cut', () => {
    const sealed = box.seal('secret', 'p');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Uint8Array.from(sealed);
      changed[at]! ^= 1;
      expect(() => box.open(changed, 'p')).toThrow(SecretBoxError);
      expect(() => box.open(sealed.subarray(0, at), 'p')).toThrow(SecretBoxError);
    }
  });

  it('derives secrets that differ by key and purpose and stay the same', () => {
    const other = new SecretBox(Buffer.alloc(32, 2));
    expect(box.derive('a')).toBe(box.derive('a'));
    expect(new Set([box.derive('a'), box.derive('b'), other.derive('a')]).size).toBe(3);
  });
});
