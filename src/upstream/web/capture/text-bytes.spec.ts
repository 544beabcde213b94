import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bytesOfText } from './text-bytes.js';

describe('bytesOfText', () => {
  it('restores UTF-8 that was read as windows-1252', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const read = new TextDecoder('windows-1252').decode(Buffer.from(text));
        expect(bytesOfText(read).toString()).toBe(text);
      }),
    );
  });

  it.each(['plain', 'Grüße', '👋 ü', '„Ü“'])('keeps what was read as UTF-8: %s', (text) => {
    expect(bytesOfText(text).toString()).toBe(text);
  });
});
