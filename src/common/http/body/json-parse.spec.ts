import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequestError } from '../../errors/gateway.errors.js';
import { parseJsonObject } from './json-parse.js';

function messageOf(text: string): string {
  try {
    parseJsonObject(text);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRequestError);
    return (error as InvalidRequestError).message;
  }
  throw new Error('was accepted');
}

const at = (position: number, line: number, column: number): string =>
  `The request body is not valid JSON: unexpected character at position ${position} (line ${line}, column ${column}).`;
const TOO_EARLY = 'The request body is not valid JSON: it ends too early.';

describe('parseJsonObject', () => {
  describe('invalid JSON', () => {
    test.each([
      ['{"a":abc}', at(5, 1, 6)],
      ["{'a':1}", at(1, 1, 2)],
      ['{"a":None}', at(5, 1, 6)],
      ['{"a":1,}', at(7, 1, 8)],
      ['{"a":1}}', at(7, 1, 8)],
      ['{"a" 1}', at(5, 1, 6)],
      ['{"a":01}', at(6, 1, 7)],
      ['{"a":1.}', at(7, 1, 8)],
      ['{"a":-}', at(6, 1, 7)],
      ['{"a":+1}', at(5, 1, 6)],
      ['{"a":NaN}', at(5, 1, 6)],
      ['{"a":trUe}', at(7, 1, 8)],
      ['{"a":"\\q"}', at(7, 1, 8)],
      ['{"a":"\\u12x4"}', at(10, 1, 11)],
      ['{"a":"x\ny"}', at(7, 1, 8)],
      ['{\n  "a": 1,\n  b: 2\n}', at(14, 3, 3)],
      ['// note\n{}', at(0, 1, 1)],
      ['a=1&b=2', at(0, 1, 1)],
      ['{"a":1}{"a":1}', at(7, 1, 8)],
      ['', TOO_EARLY],
      [' \n', TOO_EARLY],
      ['{', TOO_EARLY],
      ['{"a"', TOO_EARLY],
      ['{"a":"x', TOO_EARLY],
      ['{"a":"\\', TOO_EARLY],
      ['{"a":"\\u1', TOO_EARLY],
      ['{"a":tru', TOO_EARLY],
      ['{"a":-', TOO_EARLY],
      ['{"a":1e', TOO_EARLY],
      ['{"a":[1,', TOO_EARLY],
    ])('%j', (text, message) => {
      expect(messageOf(text)).toBe(message);
    });

    test('has no position if the text is long', () => {
      expect(messageOf(`{"a":"${'x'.repeat(2 ** 18)}",}`)).toBe('The request body is not valid JSON.');
    });

    test('every beginning of an object ends too early', () => {
      const text = '{"a":[-1.5e+3,true,null,{"\\u00e9\\n":"ü"}],"b":{}}';
      for (let i = 0; i < text.length; i++) {
        expect(messageOf(text.slice(0, i))).toBe(TOO_EARLY);
      }
    });

    test('names the place of a character that fits nowhere', () => {
      const texts = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify({ value }, null, 1));
      fc.assert(
        fc.property(texts, fc.nat(), (text, seed) => {
          const place = seed % text.length;
          const broken = `${text.slice(0, place)}\u0001${text.slice(place)}`;
          const lines = text.slice(0, place).split('\n');
          expect(messageOf(broken)).toBe(at(place, lines.length, (lines.at(-1)?.length ?? 0) + 1));
        }),
      );
    });
  });

  test.each(['null', '1', '"text"', '[]', '[{}]', 'true'])('%s is no object', (text) => {
    expect(messageOf(text)).toBe('The request body must be a JSON object.');
  });

  test('an object is returned as it stands, with no way into its prototype', () => {
    const value = parseJsonObject('{"__proto__":{"admin":true},"constructor":{"prototype":1},"a":[1]}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'a']);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });
});
