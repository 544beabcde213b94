import { describe, expect, it } from '@jest/globals';
import { range, strategyContext } from '../../../../test/compression/strategy-context.js';
import { hexDumpStrategy } from './hex-dump.strategy.js';

const condense = (text: string): string | undefined => hexDumpStrategy.condense(text, strategyContext());

const offset = (line: number): string => (line * 16).toString(16).padStart(8, '0');

describe('hexDumpStrategy', () => {
  it.each([
    [
      'xxd',
      (line: number) =>
        `${offset(line)}: 7f45 4c46 0201 0100 0000 0000 0000 00${line % 10}0  .ELF............`,
    ],
    [
      'hexdump',
      (line: number) => `${offset(line)}  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  |.ELF......|`,
    ],
    [
      'od',
      (line: number) => `${(line * 16).toString(8).padStart(7, '0')} 042577 043114 000402 000001 000000`,
    ],
  ])('keeps the beginning and the end of a long dump by %s', (_name, line) => {
    const lines = range(0, 299).map(line);
    expect(condense(`${lines.join('\n')}\n`)?.split('\n')).toEqual([
      '[300 lines of a dump in all]',
      ...lines.slice(0, 64),
      '[… 228 lines omitted]',
      ...lines.slice(-8),
    ]);
    const short = lines.slice(0, 200).join('\n');
    expect(condense(short)).toBe(short);
  });

  it('keeps lines between those of dumps', () => {
    const dump = range(0, 149).map(
      (line) => `${offset(line)}: 7f45 4c46 0201 0100 0000 0000 0000 0000  .ELF`,
    );
    const lines = [
      ...['== a.bin', ...dump, 'xxd: a.bin: read error', '== b.bin'],
      ...[...dump.slice(0, 40), '*', ...dump.slice(80)],
    ];
    expect(condense(lines.join('\n'))?.split('\n')).toEqual([
      '[264 lines of a dump in all]',
      ...['== a.bin', ...dump.slice(0, 63), '[… 87 lines omitted]'],
      ...['xxd: a.bin: read error', '== b.bin', '[… 103 lines omitted]', ...dump.slice(-8)],
    ]);
  });

  it.each([
    ['checksums', (line: number) => `${'0a1b2c3d'.repeat(4)}  src/a${line}.ts`],
    ['instructions', (line: number) => `  40${line + 100}:\t48 8b 05 bd 6f 00 00 \tmov    0x6fbd(%rip),%rax`],
    ['commits', (line: number) => `${offset(line)} feed: add a case ${line}`],
    ['times and numbers', (line: number) => `${1714550400 + line * 60} 20 30 40 50 ok`],
    ['times ten seconds apart', (line: number) => `${1714550400 + line * 10} 20 30 40 50 ok`],
    ['numbers', (line: number) => `${line + 100000} 20 30 40 50 60`],
  ])('leaves %s to others', (_name, line) => {
    expect(condense(range(1, 300).map(line).join('\n'))).toBeUndefined();
  });
});
