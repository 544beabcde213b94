import { describe, expect, it } from '@jest/globals';
import { examplesOf } from '../../../../test/compression/pattern-examples.js';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { LISTED_DATES, listingStrategy } from './listing.strategy.js';

const condense = (text: string): string | undefined => listingStrategy.condense(text, strategyContext());

describe('listingStrategy', () => {
  it('shows size, date and name of each entry; mode and owner only where they are unusual', () => {
    const lines = [
      'total 48',
      'drwxr-xr-x  2 ada staff  4096 Sep  7 10:00 src',
      '-rwxr-xr-x  1 bob staff   512 Sep 17 10:01 run me.sh',
      ...range(1, 11).map(
        (number) => `-rw-r--r--  1 ada staff ${number}00 Jan 12  2024 ${'abcdefghijk'.charAt(number - 1)}.ts`,
      ),
    ];
    expect(condense(lines.join('\n'))?.split('\n').slice(0, 5)).toEqual([
      '[13 entries (12 files, 1 folder) as size, date, name; unless told otherwise mode -rw-r--r-- or drwxr-xr-x, owner ada staff; link counts omitted]',
      'total 48',
      '4096 Sep 7 10:00 src/',
      '512 Sep 17 10:01 run me.sh -rwxr-xr-x bob staff',
      '100 Jan 12 2024 a.ts',
    ]);
  });

  it('tells the usual mode of links once', () => {
    const lines = range(1, 13).map(
      (number) => `lrwxrwxrwx 1 root root 9 Jan 12  2024 lib${number} -> lib.so`,
    );
    const [head, first] = condense(lines.join('\n'))?.split('\n') ?? [];
    expect(head).toContain('unless told otherwise mode lrwxrwxrwx, owner root root');
    expect(first).toBe('9 Jan 12 2024 lib1 -> lib.so');
  });

  it('reads the listing of an archive, which has no links', () => {
    const lines = range(1, 12).map(
      (number) =>
        `-rw-rw-r-- ${number === 5 ? 'bob' : 'ada'}/staff ${String(number * 100).padStart(9)} 2026-11-27 11:37 docs/${'abcdefghijkl'.charAt(number - 1)}.md`,
    );
    expect(condense(lines.join('\n'))?.split('\n')).toEqual(
      expect.arrayContaining(['100 2026-11-27 11:37 docs/a.md', '500 2026-11-27 11:37 docs/e.md bob staff']),
    );
  });

  it('lists most entries of a large folder by name; the first, last and largest in full', () => {
    const size = (number: number): number => (number === 50 ? 999_999 : 10 + (number % 7));
    const lines = range(1, 200).map(
      (number) =>
        `-rw-r--r-- 1 ada staff ${size(number)} Sep 17 10:01 part-${'xyz'.charAt(number % 3)}${number}.bin`,
    );
    const condensed = condense(lines.join('\n')) ?? '';
    expect(condensed).toContain('999999 Sep 17 10:01 part-z50.bin');
    expect(condensed).toContain('omitted:]\npart-');
    expect(condensed).toContain('names like these omitted]');
  });

  it.each(examplesOf({ LISTED_DATES }))('%s: %s', (_table, _name, pattern, example) => {
    expect(example).toMatch(pattern);
  });

  it('leaves a few entries and other texts alone', () => {
    expect(condense('-rw-r--r-- 1 ada staff 1 Sep 17 10:01 a\n'.repeat(5))).toBeUndefined();
    expect(condense('no listing\n'.repeat(50))).toBeUndefined();
  });

  it('leaves dates of usual entries out of many folders', () => {
    const entry = (number: number): string =>
      `-rw-r--r-- 1 ada staff ${number} ${number === 77 ? 'Apr 18  2022' : 'Sep 17 10:01'} ${'abc'.charAt(number % 3)}${number}.ts`;
    const folders = range(1, 40).flatMap((folder) => [
      `./part-${folder}:`,
      'drwxr-xr-x 2 ada staff 4096 Sep 17 10:00 .',
      'drwxr-xr-x 9 ada staff 4096 Sep 17 10:00 ..',
      ...range(1, 8).map((at) => entry(folder * 8 + at)),
      '',
    ]);
    const condensed = condense(folders.join('\n'))?.split('\n') ?? [];
    expect(condensed[0]).toContain('[400 entries (320 files, 80 folders)');
    expect(condensed.slice(1, 3)).toEqual([
      './part-1:',
      '9 a9.ts, 10 b10.ts, 11 c11.ts, 12 a12.ts, 13 b13.ts, 14 c14.ts, 15 a15.ts, 16 b16.ts',
    ]);
    expect(condensed).toContain('77 Apr 18 2022 c77.ts');
  });

  it('writes the folder once that many links lead to', () => {
    const link = (number: number): string =>
      `lrwxrwxrwx 1 root root 44 May 12 2026 tool${number}.gz -> /usr/share/man/man1/tool${number}.gz`;
    const odd = 'lrwxrwxrwx 1 root root 44 May 12 2026 cc -> /usr/bin/gcc';
    const condensed = condense(['total 9', ...range(1, 150).map(link), odd].join('\n')) ?? '';
    const names = range(1, 150).map((number) => `tool${number}.gz`);
    expect(condensed).toContain('links to the same names in /usr/share/man/man1/: ');
    expect(names.filter((name) => !condensed.includes(name))).toEqual([]);
    expect(condensed.split('/usr/share/man/man1/').length).toBeLessThan(12);
    expect(condensed).toContain('cc -> /usr/bin/gcc');
  });
});
