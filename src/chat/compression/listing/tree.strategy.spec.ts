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

  it('leaves other texts alone', () => {
    expect(condense('├── a\n'.repeat(5))).toBeUndefined();
    expect(condense(`${'text\n'.repeat(40)}${'├── a\n'.repeat(20)}`)).toBeUndefined();
  });
});
