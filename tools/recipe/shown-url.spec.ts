import { describe, expect, it } from '@jest/globals';
import { shownText, shownUrl } from './shown-url.js';

describe('shownUrl', () => {
  it.each([
    [
      'https://chat.example/api?stream=true&lang=en&page=2',
      'https://chat.example/api?stream=true&lang=en&page=2',
    ],
    ['https://chat.example/api?token=eyJhbGciOi#part', 'https://chat.example/api?token=…'],
    ['https://me:secret@chat.example:8443/', 'https://chat.example:8443/'],
    ['wss://chat.example/socket?key=0123456789', 'wss://chat.example/socket?key=…'],
    ['about:blank', 'about:…'],
    ['nonsense?secret', 'nonsense'],
  ])('shows %s as %s', (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });
});

describe('shownText', () => {
  it('shows one line, cut where it is too long', () => {
    expect(shownText(' one\n two  three ')).toBe('“one two three”');
    expect(shownText('abcdef', 3)).toBe('“abc…”');
    expect(shownText(`a${' '.repeat(100)}b`, 3)).toBe('“a…”');
  });
});
