import { describe, expect, it } from '@jest/globals';
import { indented, withLineBreaks } from '../../assets/widgets/exchange/body-view.js';

describe('indented', () => {
  it.each([
    [
      '{"id":12345678901234567890,"10":1.0,"2":[]}',
      '{\n  "id": 12345678901234567890,\n  "10": 1.0,\n  "2": []\n}',
    ],
    ['{"a":1,"a":{}}', '{\n  "a": 1,\n  "a": {}\n}'],
    [String.raw`[ "{x}, \" y" , null ]`, '[\n  ' + String.raw`"{x}, \" y"` + ',\n  null\n]'],
  ])('keeps all that %s says', (body, lines) => {
    expect(indented(body)).toBe(lines);
  });

  it.each([
    ['{"messages":[{"content":"All, of', '{\n  "messages": [\n    {\n      "content": "All, of'],
    ['{"stream":tr', '{\n  "stream": tr'],
  ])('takes %s, which is cut', (body, lines) => {
    expect(indented(body)).toBe(lines);
  });

  it.each(['data: {"a":1}', '[ERROR] it, failed', '[1] 2 3', '{}{}', '"a"', ''])(
    'leaves %s as it is',
    (body) => {
      expect(indented(body)).toBe(body);
    },
  );

  it('does not grow with the square of the depth', () => {
    const depth = 30_000;
    expect(indented('['.repeat(depth) + ']'.repeat(depth)).length).toBeLessThan(100 * 2 * depth);
  });
});

describe('withLineBreaks', () => {
  it.each([
    [String.raw`{"prompt":"# Tools\n\tcall \"one\"`, '{"prompt":"# Tools\n\tcall "one"'],
    [String.raw`{"path":"C:\\new","text":"a\nb"}`, String.raw`{"path":"C:\new","text":"a` + '\nb"}'],
    [String.raw`{"path":"C:\\new"}`, String.raw`{"path":"C:\\new"}`],
    ['no JSON\nat all', 'no JSON\nat all'],
  ])('of %s are its own', (text, expected) => {
    expect(withLineBreaks(text)).toBe(expected);
  });
});
