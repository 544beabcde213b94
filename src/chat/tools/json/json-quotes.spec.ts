import { describe, expect, it } from '@jest/globals';
import { mayFollowValue } from './json-quotes.js';

describe('what may follow the quote that closes a value', () => {
  it.each<[string, string, boolean | 'partial']>([
    // In an object.
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
    ['}', ']', false],
    ['}}', '} x', false],
    ['}}', '}, "b": 1', true],
    ['}}', '}} x', true],
    ['}}', '}', 'partial'],
    ['}]}', '}]} x', true],
    ['}]}', '}} x', true],
    ['}]}', '}] x', false],
    ['}', ': 1', false],
    ['}', ' "b": 1', false],
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
    // In an array.
    [']', ', and', true],
    [']', ']', true],
    ['}]', ']', 'partial'],
    ['}]', '] x', false],
    ['}]', '}', true],
    ['}', `,${' '.repeat(300)}`, true],
    ['}]', ', "b"', true],
  ])('closes %j: %j %j', (closers, text, expected) => {
    expect(mayFollowValue(`"${text}`, 1, closers)).toBe(expected);
  });
});
