import { describe, expect, it } from '@jest/globals';
import { cpuMs } from '../../../../test/support/watch/cpu-time.js';
import { cpuPace } from '../../../../test/support/watch/machine-pace.js';
import { parseCommand } from './shell-command.js';

describe('parseCommand', () => {
  const programs = (line: string): string[] => parseCommand(line).map(({ program }) => program);

  it('finds each program, without assignments, paths and here-documents', () => {
    expect(programs("A=1 /usr/bin/ls | wc -l && cat <<'E'\nrm a\nE\necho; Cat.EXE b")).toEqual([
      'ls',
      'wc',
      'cat',
      'echo',
      'cat',
    ]);
  });

  it('takes redirections out and keeps what is read', () => {
    expect(parseCommand('tr a b < in.txt > out.txt 2>&1')).toEqual([
      { program: 'tr', args: ['a', 'b'], inputs: ['in.txt'] },
    ]);
  });

  it.each([
    ['in the words of a wrapper', 'sudo -u me cat a'],
    ['in a text of a wrapper', "ssh host 'cd x; cat a'"],
    ['in a wrapper within a wrapper', `sudo timeout 5 bash -lc "ssh host 'cat a'"`],
    ['in a substitution within quotes', 'echo "it says: $(cat a)"'],
  ])('finds a program %s', (_where, line) => {
    expect(parseCommand(line)).toContainEqual({ program: 'cat', args: ['a'], inputs: [] });
  });

  it('leaves texts of other programs alone', () => {
    expect(programs('git commit -m "cat a"')).toEqual(['git']);
  });

  it.each(['sudo ', '"$(', '`', "'", '{ ', '\\', '<', 'ssh "ssh '])(
    'takes time in proportion to a line of nothing but %s',
    async (part) => {
      await cpuPace.expectOnceWithin(() => cpuMs(() => parseCommand(part.repeat(20_000))), 1000);
    },
  );
});
