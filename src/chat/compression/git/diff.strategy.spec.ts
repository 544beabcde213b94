import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { diffStrategy } from './diff.strategy.js';

const condense = (text: string): string | undefined => diffStrategy.condense(text, strategyContext());

const HEAD = [
  'diff --git a/src/a.ts b/src/a.ts',
  'index 1111111..2222222 100644',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
];

describe('diffStrategy', () => {
  it('keeps headers and changes with one line of context, and counts the gaps', () => {
    const text = [
      ...HEAD,
      '@@ -1,7 +1,7 @@ class A {',
      ...[' one', ' two', ' three', '-old', '+new', ' four', ' five', ' six'],
      '@@ -20,9 +20,8 @@',
      ...[' a', '-b', ' c', ' d', ' e', ' f', '-g', '+h', ' i', ' j'],
    ];
    expect(condense(text.join('\n'))).toBe(
      [
        ...HEAD,
        '@@ -1,7 +1,7 @@ class A {',
        ...['[… 2 lines]', ' three', '-old', '+new', ' four', '[… 2 lines]'],
        '@@ -20,9 +20,8 @@',
        ...[' a', '-b', ' c', '[… 2 lines]', ' f', '-g', '+h', ' i', ' j'],
      ].join('\n'),
    );
  });

  it('cuts long runs of one sign, but keeps the declarations in them', () => {
    const added = range(1, 100).map((number) =>
      number === 60 ? '+export function found() {' : `+line ${number}`,
    );
    const text = [...HEAD, '@@ -0,0 +1,100 @@', ...added].join('\n');
    expect(condense(text)).toBe(
      [
        ...HEAD,
        '@@ -0,0 +1,100 @@',
        ...added.slice(0, 36),
        '[… 23 added lines omitted]',
        '+export function found() {',
        '[… 30 added lines omitted]',
        ...added.slice(-10),
      ].join('\n'),
    );
  });

  it('tells lines of a hunk from headers by the counts', () => {
    const text = [
      ...HEAD,
      '@@ -1,2 +1,2 @@',
      '--- a comment',
      '+++ another',
      ' rest',
      'diff --git a/b b/b',
    ].join('\n');
    expect(condense(text)).toBe(text);
  });

  it('keeps the message of a commit before its diff', () => {
    const text = ['commit 1234', 'Author: A', '', '    Subject', '', ...HEAD, '@@ -1 +1 @@', '-a', '+b'].join(
      '\n',
    );
    expect(diffStrategy.condense(text, strategyContext('bash', { command: 'git show' }))).toBe(text);
  });

  it('leaves a patch alone that was read from a file', () => {
    const text = [
      'Closes a socket twice.',
      ...HEAD.slice(2),
      '@@ -1,7 +1,7 @@',
      ...' '.repeat(3).split(''),
      '-a',
      '+b',
      ...' '.repeat(3).split(''),
    ];
    expect(condense(text.join('\n'))).toBe(text.join('\n'));
    expect(diffStrategy.condense(text.join('\n'), strategyContext('compare_files'))).toContain('[… 2 lines]');
  });

  it('does not take texts that only quote a diff', () => {
    expect(condense(`${'prose\n'.repeat(50)}--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b`)).toBeUndefined();
    expect(condense('nothing of the kind')).toBeUndefined();
  });
});
