import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { treeStrategy } from './tree.strategy.js';

const condense = (text: string): string | undefined => treeStrategy.condense(text, strategyContext());

describe('treeStrategy', () => {
  it('replaces the drawing by blanks and keeps every name of a small tree', () => {
    const lines = ['.', '├── src', '│   ├── a.ts', '│   └── deep', '│       └── b.ts', '└── x.md'];
    const more = range(1, 10).map((number) => `├── file${number}.md`);
    expect(
      condense([...lines.slice(0, 5), ...more, lines[5], '', '2 directories, 13 files'].join('\n')),
    ).toBe(
      [
        '[15 entries; one blank a level]',
        '.',
        ...[' src', '  a.ts', '  deep', '   b.ts'],
        ...more.map((line) => line.replace('├── ', ' ')),
        ' x.md',
        '2 directories, 13 files',
      ].join('\n'),
    );
  });

  it('counts files of one ending in large trees', () => {
    const lines = ['.', ...range(1, 320).map((number) => `├── ${number}.png`), '└── notes.md'];
    expect(condense(lines.join('\n'))).toBe(
      [
        '[321 entries; one blank a level]',
        '.',
        ' 1.png',
        ' 2.png',
        ' 3.png',
        ' [… 316 more .png entries omitted]',
        ' 320.png',
        ' notes.md',
      ].join('\n'),
    );
  });

  it.each([
    ['npm', ['├─┬ ', '│ ├── ', '│ └── ', '└─┬ ', '  └── '], (name: string) => `${name}@1.0.0`],
    ['cargo', ['├── ', '│   ├── ', '│   └── ', '└── ', '    └── '], (name: string) => `${name} v1.0.0`],
    [
      'Maven',
      ['[INFO] +- ', '[INFO] |  +- ', '[INFO] |  \\- ', '[INFO] \\- ', '[INFO]    \\- '],
      (name: string) => `g:${name}:jar:1.0.0`,
    ],
    [
      'Gradle',
      ['+--- ', '|    +--- ', '|    \\--- ', '\\--- ', '     \\--- '],
      (name: string) => `g:${name}:1.0.0`,
    ],
  ] as const)(
    'keeps what a project depends on itself, as %s draws it',
    (_program, [first, inner, innerLast, last, ownLast], name) => {
      const below = range(1, 12).map((number) => inner + name(`b${number}`));
      const text = [
        'shop',
        first + name('a'),
        ...below,
        `${inner}${name('odd')} invalid`,
        ...below,
        innerLast + name('z'),
        last + name('c'),
        ownLast + name('d'),
      ].join('\n');
      expect(condense(text)).toBe(
        [
          '[29 entries; one blank a level]',
          'shop',
          ` ${name('a')}`,
          ...['b1', 'b2', 'b3'].map((each) => `  ${name(each)}`),
          '[… 9 dependencies omitted]',
          `  ${name('odd')} invalid`,
          '[… 12 dependencies omitted]',
          `  ${name('z')}`,
          ` ${name('c')}`,
          `  ${name('d')}`,
        ].join('\n'),
      );
    },
  );

  it('leaves other texts alone', () => {
    expect(condense('├── a\n'.repeat(5))).toBeUndefined();
    expect(condense(`${'text\n'.repeat(40)}${'├── a\n'.repeat(20)}`)).toBeUndefined();
  });

  it('keeps one dependency of each where the project has many, and all of its own', () => {
    const own = (count: number): string =>
      [
        'app@1.0.0',
        ...range(1, count).flatMap((at) => [
          `├─┬ own${at}@1.${at}.0`,
          ...range(1, 6).map((dep) => `│ ${dep === 6 ? '└' : '├'}── dep${at}-${dep}@2.${dep}.0`),
        ]),
      ].join('\n');
    const many = condense(own(20)) ?? '';
    range(1, 20).forEach((at) =>
      expect(many).toContain(` own${at}@1.${at}.0\n  dep${at}-1@2.1.0\n[… 5 dependencies omitted]`),
    );
    expect(condense(own(5))).toContain('  dep3-3@2.3.0\n[… 2 dependencies omitted]\n  dep3-6@2.6.0');
  });

  it('keeps a dependency of another version than was asked for where that is rare', () => {
    const tree = (isReplaced: (dep: number) => boolean): string =>
      [
        'app@1.0.0',
        ...range(1, 4).flatMap((own) => [
          `├─┬ own${own}@1.0.0`,
          ...range(1, 20).map((dep) => `│ ├── dep${own}:2.${dep}.0${isReplaced(dep) ? ' -> 3.0.0' : ''}`),
        ]),
      ].join('\n');
    expect(condense(tree((dep) => dep === 10))).toContain('dep3:2.10.0 -> 3.0.0');
    expect(condense(tree(() => true))).not.toContain('dep3:2.10.0');
  });
});
