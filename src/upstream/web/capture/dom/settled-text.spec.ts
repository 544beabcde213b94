import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SettledText } from './settled-text.js';

function read(looks: readonly string[]): string[] {
  const text = new SettledText(true);
  return [...looks.map((look) => text.look(look)), text.end()];
}

describe('SettledText', () => {
  it('passes on what two looks have in common, and all at the end', () => {
    expect(read(['He', 'Hello', 'Hello', 'Hello, W'])).toEqual(['', 'He', '', 'llo', ', W']);
  });

  it('never passes on a cursor, a closing mark or half of a character', () => {
    expect(read(['a▍', 'ab▍', 'abc']).join('')).toBe('abc');
    expect(read(['```\na\n```', '```\na b\n```', '```\na b c\n```']).join('')).toBe('```\na b c\n```');
    expect(read(['x👋', 'x👍', 'x👍!'])).toEqual(['', 'x', '👍', '!']);
  });

  it('reads a text again that is replaced for a moment', () => {
    expect(read(['Thinking...', 'Hello', 'Hello, World']).join('')).toBe('Hello, World');
    expect(read(['Hello', 'Hello, W', '', 'Thinking', 'Hello, World']).join('')).toBe('Hello, World');
  });

  it('keeps all to the end where nothing is to be streamed', () => {
    const text = new SettledText(false);
    expect(['```js', '```js a', '```js\na\n```'].map((look) => text.look(look))).toEqual(['', '', '']);
    expect(text.end()).toBe('```js\na\n```');
  });

  it('fails where the text stays another one', () => {
    expect(() => read(['Hello', 'Hello, W', 'Good bye'])).toThrow(
      expect.objectContaining({ fault: 'garbled_answer' }),
    );
  });

  it('adds up to the last look, or fails', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 5, unit: fc.constantFrom('a', 'b', '👋') })), (looks) => {
        try {
          expect(read(looks).join('')).toBe(looks.at(-1) ?? '');
        } catch (error) {
          expect(error).toMatchObject({ fault: 'garbled_answer' });
        }
      }),
    );
  });
});
