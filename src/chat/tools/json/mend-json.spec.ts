import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mendJson } from './mend-json.js';

describe('mendJson', () => {
  it.each<[string, string, string[]]>([
    ["['a', 'b',]", '["a","b"]', ['single_quotes', 'trailing_comma']],
    [
      '{a: True, "b": [1.0 2]}',
      '{"a":true,"b":[1.0,2]}',
      ['unquoted_key', 'python_literal', 'missing_comma'],
    ],
    ['[{"a": 1}', '[{"a":1}]', ['missing_closer']],
  ])('mends %s', (text, json, repairs) => {
    expect(mendJson(text)).toEqual({ json, repairs });
  });

  it.each(['["a', '[1] more', '{"a" 1}', '', 'text', '[.]'])('returns undefined for %j', (text) => {
    expect(mendJson(text)).toBeUndefined();
  });

  it('leaves sound JSON unchanged', () => {
    const list = fc.array(fc.jsonValue({ maxDepth: 3 })).map((one) => JSON.stringify(one));
    fc.assert(
      fc.property(list, (json) => {
        expect(mendJson(json)).toEqual({ json, repairs: [] });
      }),
    );
  });
});
