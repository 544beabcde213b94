import { expect, it } from '@jest/globals';
import { parsedJson } from './parsed-json.js';

it('reads sound JSON, and tells unsound JSON from null', () => {
  expect(['{"a":[1]}', 'null', '{"a":', ''].map(parsedJson)).toEqual([
    { a: [1] },
    null,
    undefined,
    undefined,
  ]);
});
