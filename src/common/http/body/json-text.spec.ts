import { describe, expect, test } from '@jest/globals';
import { InvalidRequestError } from '../../errors/gateway.errors.js';
import { MAX_JSON_DEPTH } from './json-scanner.js';
import { JsonText } from './json-text.js';

function collect(pieces: readonly Uint8Array[]): string {
  const text = new JsonText();
  pieces.forEach((piece) => text.push(piece));
  return text.end();
}

describe('JsonText', () => {
  test('every split of multi-byte text gives the same text', () => {
    const source = '{"a":"ü漢😀\\u00e9","b":["\u2028"]}';
    const bytes = Buffer.from(source);
    for (let i = 0; i <= bytes.length; i++) {
      expect(collect([bytes.subarray(0, i), bytes.subarray(i)])).toBe(source);
    }
    expect(collect([...bytes].map((byte) => Uint8Array.of(byte)))).toBe(source);
  });

  test('a byte order mark is no part of the text', () => {
    expect(collect([Buffer.from('\uFEFF{}')])).toBe('{}');
  });

  test.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['beyond Unicode', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['a cut sequence before a quote', [0x22, 0xe6, 0xbc, 0x22]],
    ['a cut sequence at the end', [0x22, 0xf0, 0x9f, 0x98]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('%s is refused at every split', (_name, bytes) => {
    for (let i = 0; i <= bytes.length; i++) {
      const pieces = [Uint8Array.from(bytes.slice(0, i)), Uint8Array.from(bytes.slice(i))];
      expect(() => collect(pieces)).toThrow(new InvalidRequestError('The request body is not valid UTF-8.'));
    }
  });

  test('depth and structure are refused while the bytes arrive', () => {
    const text = new JsonText();
    text.push(Buffer.from('['.repeat(MAX_JSON_DEPTH)));
    expect(() => text.push(Buffer.from('['))).toThrow(
      new InvalidRequestError('The JSON in the request body is nested deeper than 64 levels.'),
    );
    expect(() => new JsonText().push(Buffer.from(','.repeat(250_001)))).toThrow(
      new InvalidRequestError('The JSON in the request body has more than 250000 structural characters.'),
    );
  });
});
