import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { pathListStrategy } from './path-list.strategy.js';

const condense = (text: string): string | undefined => pathListStrategy.condense(text, strategyContext());

describe('pathListStrategy', () => {
  it('groups names by folder and keeps all of them, except in numbered series', () => {
    const paths = [
      ...['alpha', 'beta', 'gamma', 'delta'].map((name) => `src/chat/${name}.ts`),
      ...range(1, 20).map((number) => `out/chunk-${number}.js`),
      'README.md',
    ];
    expect(condense([...paths, 'find: ./secret: Permission denied'].join('\n'))).toBe(
      [
        '[25 paths in 3 folders]',
        'src/chat/ (4): alpha.ts beta.ts gamma.ts delta.ts',
        'out/ (20): chunk-1.js chunk-2.js chunk-3.js [… 15 names like these omitted] chunk-19.js chunk-20.js',
        'README.md',
        'find: ./secret: Permission denied',
      ].join('\n'),
    );
  });

  it('merges deep folders of very long lists into their parents', () => {
    const paths = range(0, 1999).map(
      (number) => `lib/p${number % 400}/dist/${'abcde'.charAt(Math.floor(number / 400))}.js`,
    );
    const condensed = condense(paths.join('\n')) ?? '';
    expect(condensed).toMatch(/^\[2000 paths in 400 folders\]\nlib\/ \(2000\): p0\/dist\/a\.js/);
    expect(condensed.length).toBeLessThan(paths.join('\n').length);
  });

  it.each([
    ['a few paths', 'src/a.ts\n'.repeat(11)],
    [
      'names without folders',
      range(1, 40)
        .map((number) => `name${number}`)
        .join('\n'),
    ],
    ['sentences', 'This is no path, but it/he is a sentence.\n'.repeat(40)],
  ])('leaves %s alone', (_name, text) => {
    expect(condense(text)).toBeUndefined();
  });
});
