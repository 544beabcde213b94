import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { isMostlyCode } from './json-code.js';
import { readJsonSpan } from './json-reader.js';

const CODE = [
  'export function total(items: readonly Item[]): number {',
  '  const sum = items.reduce((all, { cost }) => all + cost, 0);',
  '  return sum > LIMIT ? LIMIT : sum;',
  '}',
].join('\n');
const PATCH = '@@ -1,3 +1,3 @@ Shelf\n a line of words\n-an old one\n+a new one\n and the last of them';

function isCode(value: unknown): boolean {
  const text = JSON.stringify(value);
  const node = readJsonSpan(text);
  return node !== undefined && isMostlyCode(text, node);
}

describe('isMostlyCode', () => {
  it.each([
    ['bodies of symbols', range(1, 20).map((line) => ({ name: `s${line}`, at: { line }, body: CODE }))],
    [
      'hits of a search for code',
      { total: 9, items: range(1, 9).map((id) => ({ id, hits: [{ text: CODE }] })) },
    ],
    ['files of a pull request', range(1, 20).map((id) => ({ filename: `${id}.md`, patch: PATCH }))],
    ['patches beside code', [{ patch: PATCH }, { code: CODE }]],
  ])('knows %s', (_name, value) => {
    expect(isCode(value)).toBe(true);
  });

  it.each([
    [
      'rows with a little code',
      range(1, 20).map((id) => ({ id, url: `https://a.example/${'x'.repeat(600)}`, code: CODE })),
    ],
    [
      'lines of code, one in each row',
      range(1, 20).map((id) => ({ id, line: `const row${id} = load(${id});\n` })),
    ],
    [
      'texts of issues',
      range(1, 20).map((id) => ({
        id,
        body: `The shelf is empty.\n\n* It holds ${id} books.\n* I see none of them here.\n\nPlease have a look at it.`,
      })),
    ],
    [
      'stacks',
      range(1, 20).map((id) => ({
        id,
        failure: `Error: no ${id}\n    at Shelf.put (/srv/a.js:${id}:3)\n    at run (/srv/b.js:1:1)`,
      })),
    ],
  ])('leaves out %s', (_name, value) => {
    expect(isCode(value)).toBe(false);
  });
});
