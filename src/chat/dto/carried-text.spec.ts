import { describe, expect, it } from '@jest/globals';
import { carriedText, carryText } from './carried-text.js';

describe('carryText', () => {
  it.each([
    ['no text', ''],
    ['a short text', 'Why?'],
    ['a long text', 'ä 😀\n'.repeat(1000)],
  ])('gives base64 that is read back: %s', (_what, text) => {
    const carried = carryText(text);
    expect(carried).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(carriedText(carried)).toBe(text);
  });
});

describe('carriedText', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['what is no text', 5],
    ['the mark alone', 'Z2F0ZXdheQ=='],
    ['that of another', 'ErUBCkYIBxgCIkDfzxyz'],
    ['a broken one', `${carryText('Why?').slice(0, -2)}*`],
    ['one cut within a character', carryText('ä').slice(0, -2)],
  ])('reads nothing from %s', (_what, value) => {
    expect(carriedText(value)).toBe('');
  });
});
