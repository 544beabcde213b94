import { describe, expect, it } from '@jest/globals';
import { endsValue } from './value-end.js';

describe('endsValue', () => {
  it.each<[string, string, boolean | 'partial']>([
    // The value is a member of an object.
    ['}', ', "b": 1', true],
    ['}', ' ,\n b: 1', true],
    ['}', ', "b"', 'partial'],
    ['}', ', "b', 'partial'],
    ['}', ',', 'partial'],
    ['}', ', "b" c', false],
    ['}', ', and', 'partial'],
    ['}', ', and more', false],
    ['}', ', "a \\" b": 1', true],
    ['}', `, "${'k'.repeat(300)}": 1`, true],
    ['}', ',}', true],
    ['}', '}', true],
    ['}', ']', 'partial'],
    ['}', '] x', false],
    ['}}', ']}</tool_call>', true],
    ['}', '；"b": 1', true],
    ['}', '，"b" c', false],
    ['}}', '} x', false],
    ['}}', '}, "b": 1', true],
    ['}}', '}} x', true],
    ['}}', '}', 'partial'],
    ['}]}', '}]} x', true],
    ['}]}', '}} x', true],
    ['}]}', '}] x', false],
    ['}', ': 1', false],
    ['}', ' "b": 1', true],
    ['}', '"b": "c"', true],
    ['}', ' "b": ', 'partial'],
    ['}', ' "b" c', false],
    ['}', ' "b": c', false],
    ['}', ' "b c": 1', false],
    ['}]', '} {', true],
    ['}}', '} {', false],
    [']', ' "b"]', true],
    [']', ' "b" c', false],
    [']', '"b"]', false],
    ['}', '\n "b": 1', true],
    ['}', 'x', false],
    ['}', '', 'partial'],
    ['}', ' '.repeat(300), true],
    ['}', ' // so', true],
    ['}', '/', 'partial'],
    ['}', '/x', false],
    ['}', '</tool_call>', true],
    ['}', '</tool', 'partial'],
    ['}', '</div>', false],
    ['}', '<b>', false],
    ['}', '<|eom_id|>', true],
    ['}', '```', true],
    ['}', '`x', false],
    // The value is an item of an array.
    [']', ', and', true],
    [']', ']', true],
    ['}]', ']', 'partial'],
    ['}]', '] x', false],
    ['}]', '}', true],
    ['}', `,${' '.repeat(300)}`, true],
    ['}]', ', "b"', true],
  ])('with %j still to close, says of a quote before %j: %j', (closers, text, expected) => {
    expect(endsValue(`"${text}`, 1, closers)).toBe(expected);
  });

  it.each<[string, string, boolean | 'partial']>([
    ['}}', ', "b": 1', true],
    ['}}', ', "c": 1', false],
    ['}}', ', "c"', 'partial'],
    ['}}', `, "${'k'.repeat(300)}": 1`, false],
    ['}}', ', c: 1', false],
    ['}}', '\n"b": 1', true],
    ['}}', '\n"c": 1', false],
    ['}}', '\n"c"', 'partial'],
    ['}}', '}, "id": 1', true],
    ['}}', '}, "b": 1', 'partial'],
    ['}}', '}, "b": 1,', false],
    ['}}', '}}', 'partial'],
    ['}}', '}}}\n</tool_call>', true],
    ['}}', '}}\n{', true],
    ['}}', '}}"', false],
    ['}}', '}} x', 'partial'],
    ['}}', '}} x </', true],
    ['}}', `}} ${'x'.repeat(256)}`, true],
    ['}}', '}} "x"', false],
    ['}}', '}, "type": "function"', true],
    ['}}', '}, "type": "module"}', false],
    ['}}', '}</tool_call>', true],
    [']}}', '}}, {', true],
  ])(
    'with %j to close, other quotes inside and only b to follow, says of a quote before %j: %j',
    (closers, text, expected) => {
      expect(endsValue(`"${text}`, 1, closers, { isKey: (key) => key === 'b' })).toBe(expected);
    },
  );

  it.each<[string, string, boolean | 'partial']>([
    ['}}', '}]', true],
    ['}}', '}}]', true],
    ['}}', '}, "id": 1}]', true],
    ['}', ']', true],
    ['}}', ']', false],
  ])('with %j to close in a list, says of a quote before %j: %j', (closers, text, expected) => {
    expect(endsValue(`"${text}`, 1, closers, { isListed: true })).toBe(expected);
  });
});
