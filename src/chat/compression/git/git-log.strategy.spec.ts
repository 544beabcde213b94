import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { gitLogStrategy } from './git-log.strategy.js';

const condense = (text: string): string | undefined => gitLogStrategy.condense(text, strategyContext());

function commit(number: number, lines: readonly string[]): string {
  const hash = String(number).padStart(40, 'a');
  const author = number < 5 ? 'Ada <ada@example.org>' : 'Bob <bob@example.org>';
  return [
    `commit ${hash}`,
    `Author: ${author}`,
    `Date:   Mon Sep ${number} 10:00:00 2025 +0000`,
    '',
    ...lines,
    '',
  ].join('\n');
}

describe('gitLogStrategy', () => {
  it('prints a line for each commit, authors where they change, and counts omitted lines of messages', () => {
    const log = range(1, 6).map((number) =>
      commit(
        number,
        number === 2 ? ['    Two', '', '    Long story.', '    Fixes #12'] : [`    Subject ${number}`],
      ),
    );
    const hash = 'aaaaaaaaaaaa';
    expect(condense(log.join('\n'))).toBe(
      [
        '[6 commits; hashes cut to 12 characters; authors where they change]',
        `${hash} | Ada <ada@example.org> | Mon Sep 1 10:00:00 2025 +0000 | Subject 1`,
        `${hash} | Mon Sep 2 10:00:00 2025 +0000 | Two`,
        '  Fixes #12 [… 1 message line omitted]',
        `${hash} | Mon Sep 3 10:00:00 2025 +0000 | Subject 3`,
        `${hash} | Mon Sep 4 10:00:00 2025 +0000 | Subject 4`,
        `${hash} | Bob <bob@example.org> | Mon Sep 5 10:00:00 2025 +0000 | Subject 5`,
        `${hash} | Mon Sep 6 10:00:00 2025 +0000 | Subject 6`,
      ].join('\n'),
    );
  });

  it('names a committer and a date only where they are not those of the author', () => {
    const log = range(1, 6).map((number) =>
      [
        `commit ${String(number).padStart(40, 'a')}`,
        'Author:     Ada <ada@example.org>',
        `AuthorDate: Mon Sep ${number} 10:00:00 2025 +0000`,
        `Commit:     ${number === 4 ? 'Bob <bob@example.org>' : 'Ada <ada@example.org>'}`,
        `CommitDate: Mon Sep ${number} 10:00:00 2025 +0000`,
        `\n    Subject ${number}\n`,
      ].join('\n'),
    );
    expect(condense(log.join('\n'))?.split('\n').slice(3, 5)).toEqual([
      'aaaaaaaaaaaa | Mon Sep 3 10:00:00 2025 +0000 | Subject 3',
      'aaaaaaaaaaaa | Mon Sep 4 10:00:00 2025 +0000 | Commit:     Bob <bob@example.org> | Subject 4',
    ]);
  });

  it('keeps files and counts of --stat without the drawing', () => {
    const stat = [
      ' src/a.ts        | 12 +++++-----',
      ' logo.png | Bin 0 -> 12 bytes',
      ' 2 files changed, 6 insertions(+)',
    ];
    const log = range(1, 6).map((number) =>
      commit(number, ['    Subject', '', ...(number === 6 ? stat : [])]),
    );
    expect(condense(log.join('\n'))?.split('\n').slice(-3)).toEqual([
      ' src/a.ts | 12 +-',
      ' logo.png | Bin 0 -> 12 bytes',
      ' 2 files changed, 6 insertions(+)',
    ]);
  });

  it('leaves few commits, and commits with patches, alone', () => {
    expect(
      condense(
        range(1, 5)
          .map((number) => commit(number, ['    Subject']))
          .join('\n'),
      ),
    ).toBeUndefined();
    const patches = range(1, 9).map((number) => commit(number, ['    Subject', '', 'diff --git a/a b/a']));
    expect(condense(patches.join('\n'))).toBeUndefined();
  });
});
