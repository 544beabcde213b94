import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { labelledPathsStrategy } from './labelled-paths.strategy.js';

const NAMES = [
  'ash',
  'birch',
  'cedar',
  'dogwood',
  'elm',
  'fir',
  'gum',
  'hazel',
  'ivy',
  'juniper',
  'kapok',
  'larch',
];
const PATHS = ['a', 'b'].flatMap((folder) => NAMES.map((name) => `src/${folder}/${name}.ts`));

function condense(lines: readonly string[]): string | undefined {
  return labelledPathsStrategy.condense(lines.join('\n'), strategyContext());
}

describe('labelledPathsStrategy', () => {
  it('groups names by label and folder, and leaves lines with a rare label as they are', () => {
    const lines = PATHS.map((path, index) => `${index === 3 ? 'UU' : ' M'} ${path}`);
    expect(condense(lines)?.split('\n')).toEqual([
      '[24 paths]',
      'M (23):',
      `src/a/ (11): ${NAMES.filter((name) => name !== 'dogwood')
        .map((name) => `${name}.ts`)
        .join(' ')}`,
      `src/b/ (12): ${NAMES.map((name) => `${name}.ts`).join(' ')}`,
      'UU src/a/dogwood.ts',
    ]);
  });

  it('counts hidden files with the others of their label', () => {
    const lines = ['.gitignore', ...PATHS, '.prettierrc'].map((path) => `M\t${path}`);
    expect(condense(lines)?.split('\n').slice(0, 3)).toEqual([
      '[26 paths]',
      'M (26):',
      '.gitignore .prettierrc',
    ]);
  });

  it('keeps other lines in their places', () => {
    const lines = ['Checking', ...PATHS.map((path) => `[warn] ${path}`), 'Style issues in 24 files.'];
    const condensed = condense(lines)?.split('\n');
    expect(condensed?.[1]).toBe('Checking');
    expect(condensed?.at(-1)).toBe('Style issues in 24 files.');
  });

  it('counts the lines of each label where other lines stand between them', () => {
    const labels = [...range(1, 17).map(() => 'M'), 'A', 'A', 'A', 'A', 'D', 'T', 'T'];
    const lines = PATHS.map((path, index) => `${labels[(index * 5) % 24] ?? ''}\t${path}`);
    const halves = [...lines.slice(0, 12), 'Second commit', ...lines.slice(12)];
    expect(condense(halves)?.split('\n')[0]).toBe(
      '[24 paths, and 1 other line; in all M 17, A 4, 3 of other labels]',
    );
    expect(condense(['Both', ...lines])?.split('\n')[0]).toBe('[24 paths, and 1 other line]');
  });

  it('keeps numbers beside names', () => {
    const condensed = condense([
      ...PATHS.map((path, index) => `${path} | ${index} ++++-`),
      ' src/a.png | Bin',
    ]);
    expect(condensed).toContain('src/a/ (12): ash.ts 0 +-, birch.ts 1 +-');
    expect(condensed).toContain(' src/a.png | Bin');
  });

  it('keeps the largest numbers of a long list, and all names', () => {
    const lines = range(1, 400).map(
      (number) => `${number === 200 ? 9000 : number} lib/${NAMES[number % 12]}/x${number}/y.go`,
    );
    const condensed = condense(lines);
    expect(condensed?.split('\n').slice(0, 2)).toEqual(['[400 paths]', lines[199]]);
    expect(condensed).toContain('[… smaller numbers of 360 paths omitted:]');
    expect(condensed).toContain('lib/birch/x1/y.go');
  });

  it('counts checksums of a long list, and keeps all names', () => {
    const condensed = condense(range(1, 320).map((number) => `${'0a1b2c3d'.repeat(5)}  lib/x${number}/y.go`));
    expect(condensed).toContain('[… checksums of 320 paths omitted:]');
    expect(condensed).toContain('lib/x320/y.go');
  });

  it('names columns that say the same of nearly all once, and leaves checksums out', () => {
    const sum = (index: number): string => `${index + 10}ab${'0a1b2c3d'.repeat(4)}`;
    const tree = PATHS.map((path, index) => {
      const mode = index === 5 ? '100755' : '100644';
      return `${mode} blob ${sum(index)} ${String(index * 7).padStart(7)}\t${path}`;
    });
    const condensed = condense(tree)?.split('\n');
    expect(condensed?.slice(0, 2)).toEqual([
      '[24 paths; 100644 blob unless the whole line is shown; checksums omitted]',
      tree[5],
    ]);
    expect(condensed?.[2]).toMatch(/^src\/a\/ \(11\): ash.ts 0, birch.ts 7, /);
    const index = PATHS.map((path, at) => `100644 ${sum(at)} 0\t${path}`);
    expect(condense(index)?.split('\n').slice(0, 2)).toEqual([
      '[24 paths; 100644 0 unless the whole line is shown; checksums omitted]',
      '[24 paths alone:]',
    ]);
  });

  it('finds the largest numbers of each column', () => {
    const lines = range(1, 80).map(
      (number) => `${number === 9 ? 500 : 1}\t${number % 3}\tlib/x${number}/y.go`,
    );
    expect(condense(lines)?.split('\n').slice(0, 2)).toEqual(['[80 paths]', '1 1 lib/x1/y.go']);
    expect(condense(lines)).toContain('500 0 lib/x9/y.go');
    expect(condense(lines)).toContain('lib/x60/y.go 1 0');
    const times = range(1, 400).map(
      (number) =>
        `${number === 17 ? 999_999 : number * 3}\t${1714550400 + number * 7919}\tlib/x${number}/y.go`,
    );
    expect(condense(times)).toContain(times[16]?.replaceAll('\t', ' '));
  });

  it('names no checksum that nearly all have, since checksums are left out', () => {
    const tree = PATHS.map((path, at) => `100644 ${'0a1b2c3d'.repeat(5)} ${at * 7}\t${path}`);
    expect(condense(tree)?.split('\n')[0]).toBe(
      '[24 paths; 100644 unless the whole line is shown; checksums omitted]',
    );
  });

  it('keeps signs in paths', () => {
    const lines = range(1, 80).map((number) => ` lib/c++/x--${number}/y.go | ${number} +++++---`);
    expect(condense(lines)).toContain('\n lib/c++/x--80/y.go | 80 +-\n');
    expect(condense(range(1, 80).map((number) => `${number}\tlib/x${number}/c--`))).toContain(
      '\n80 lib/x80/c--\n',
    );
  });

  it('counts the lines that are no paths', () => {
    const moved = 'R100\tsrc/a/old.ts\tsrc/b/new.ts';
    const condensed = condense([...PATHS.map((path) => `M\t${path}`), moved])?.split('\n');
    expect(condensed?.[0]).toBe('[24 paths, and 1 other line]');
    expect(condensed).toContain(moved);
  });

  it('lists what each module needs', () => {
    const lines = PATHS.map((path, index) => `ex.org/m${index % 2} ${path}`);
    expect(condense(lines)).toContain('ex.org/m1 (12):\n');
  });

  it.each([
    ['paths alone', PATHS],
    ['a list of Markdown', PATHS.map((path) => `- ${path}`)],
    ['labels that all differ', PATHS.map((path, index) => `l${index}x ${path}`)],
    ['the progress of a build', PATHS.map((path, index) => `[${index + 1}/24] Compiling ${path}`)],
    ['lines of a log', PATHS.map((path) => `2025-01-01 10:00:00 read ${path}`)],
    [
      'figures with units like paths',
      PATHS.map((_, index) => `Sum${index * 7}x\t${index * 31}\t${index} ns/op`),
    ],
    ['a few paths', PATHS.slice(0, 5).map((path) => ` M ${path}`)],
    ['URLs', PATHS.map((path) => `GET https://a.example/${path}`)],
    ['a table of files', PATHS.map((path) => `${path} | 100 | 98 | 3-4`)],
    ['source code', PATHS.map((path) => `import '${path}';`)],
  ])('leaves %s alone', (_name, lines) => {
    expect(condense(lines)).toBeUndefined();
  });

  it('shows the newest of many files with sizes and dates', () => {
    const lines = range(0, 399).map(
      (at) => `${9000 + at * 3} ${at === 250 ? 2026 : 2024}-05-${10 + (at % 9)} lib/part${at}.so`,
    );
    const short = condense(lines);
    expect(short).toContain('2026-05-17 lib/part250.so');
    expect(short).toContain('smaller numbers of');
  });
});
