import { describe, expect, it } from '@jest/globals';
import { condense } from '../../src/chat/compression/tool-result-compressor.js';
import { cpuMs, expectCostRatio } from '../support/watch/cpu-time.js';
import { shell } from './corpus/corpus-entry.js';

/** Units whose repetition makes patterns backtrack and scanners start over. */
const PUMPS = [
  ...[
    ' ',
    '\n',
    'a',
    '9',
    '.',
    '/',
    '\\',
    '|',
    '{',
    '[',
    '(',
    '<',
    '"',
    ':',
    '#',
    '\x1b[',
    '\r',
    '\b',
    '\0',
    '│',
  ],
  ...[
    'a/',
    'a:1:',
    'a,b,',
    '<a ',
    '<a b="',
    '<!--',
    '</',
    '&a',
    '"a":',
    '{"a":',
    '[1,',
    '@@ -1,99 +1,99 @@\n+a\n',
  ],
  ...[
    '├── a\n',
    '│   ',
    'error ',
    ' at f (a:1:1)\n',
    '● a\n',
    '1) a\n',
    'a/b\n1:x\n',
    'A B C D\n1 2 3 4\n',
    'aB3',
    'eyJa.',
  ],
  ...[
    '<td>',
    '<a href="x">',
    '<!doctype html><',
    `commit ${'a'.repeat(40)}\n`,
    'src/a.ts(1,1): error x\n',
    '  --> a.rs:1:1\n1 | x\n',
    '{"Output":"error a\\n"}\n',
    'Word one. ',
  ],
];

const SIZE = 200_000;

/**
 * Limit in milliseconds of the thread's processor time: 40 times the usual time for 100 kB of any kind, for slow
 * machines and code that is not compiled yet.
 */
const MOST_MS = 1500;

describe('condense', () => {
  it.each(PUMPS)('takes linear time for a text of %j', (pump) => {
    const text = pump.repeat(Math.ceil(SIZE / pump.length));
    let condensed = '';
    const costMs = cpuMs(() => (condensed = condense(text, shell('./run')).text));
    expect(costMs).toBeLessThan(MOST_MS);
    expect(condensed.length).toBeLessThanOrEqual(text.length);
  });

  it('takes linear time for many declarations found in one file', () => {
    const costMs = (count: number): number => {
      const match = (index: number): string => `src/a.ts:${index}:function f${index}() {`;
      const text = Array.from({ length: count }, (_, index) => match(index)).join('\n');
      return cpuMs(() => condense(text, shell('grep -rn function src')));
    };
    expectCostRatio({ small: () => costMs(20_000), large: () => costMs(160_000) }, 20);
  });

  it('takes linear time for lines below a header of many words', () => {
    const costMs = (count: number): number => {
      const text = `${'NAME '.repeat(count)}\n${'One: two\n'.repeat(count)}`;
      return cpuMs(() => condense(text, shell('./run')));
    };
    expectCostRatio({ small: () => costMs(1000), large: () => costMs(8000) }, 20);
  });

  it.each([
    [
      'rows',
      (index: number) =>
        `${index},${String(index * 7919)
          .split('')
          .join('-')},x`,
    ],
    ['values of JSON lines', (index: number) => `{"k${index}":${index}}`],
    ['paths', (index: number) => `src/${index.toString(36)}/a${index}.ts`],
    [
      'added lines',
      (index: number) => (index === 0 ? 'diff --git a/a b/a\n@@ -0,0 +1,999999 @@' : `+${index}`),
    ],
  ])('condenses 150,000 different %s', (_name, line) => {
    const text = Array.from({ length: 150_000 }, (_, index) => line(index)).join('\n');
    expect(condense(text, shell('./run')).text.length).toBeLessThan(text.length);
  });
});
