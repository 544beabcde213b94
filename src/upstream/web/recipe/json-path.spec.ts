import { describe, expect, it } from '@jest/globals';
import { compileJsonPath } from './json-path.js';

const value = {
  choices: [{ delta: { content: 'a' } }, { delta: { content: 'z' } }],
  'odd.key': { x: 1 },
  data: '{"text":"Hi","inner":"[\\"a\\",[1]]"}',
};

describe('compileJsonPath', () => {
  it.each([
    ['choices[0].delta.content', 'a'],
    ['$.choices[-1].delta.content', 'z'],
    ['["odd.key"].x', 1],
    ['$', value],
    ['data{}.text', 'Hi'],
    ['data{}.inner{}[1][0]', 1],
    ['data.text', undefined],
    ['choices{}', undefined],
    ['choices[0].delta.content{}', undefined],
    ['choices[2].delta', undefined],
    ['choices.delta', undefined],
    ['choices[0].delta.content.length', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
  ])('%s', (path, expected) => {
    expect(compileJsonPath(path)(value)).toEqual(expected);
  });

  it.each(['a..b', 'a[', 'a[x]', '[""]', 'a]', 'a{', 'a{}b}'])('refuses %s', (path) => {
    expect(() => compileJsonPath(path)).toThrow(`malformed JSON path: ${path}`);
  });
});
