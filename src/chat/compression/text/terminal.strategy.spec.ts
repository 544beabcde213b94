import { describe, expect, it } from '@jest/globals';
import { strategyContext } from '../../../../test/compression/strategy-context.js';
import { terminalStrategy } from './terminal.strategy.js';

const condense = (text: string): string | undefined => terminalStrategy.condense(text, strategyContext());

describe('terminalStrategy', () => {
  it.each([
    ['colours', '\x1b[1;31mred\x1b[0m plain', 'red plain'],
    ['cursor moves', 'a\x1b[2K\x1b[1Gb', 'ab'],
    ['titles and links', '\x1b]0;title\x07x \x1b]8;;https://a.example\x1b\\link\x1b]8;;\x1b\\', 'x link'],
    ['a sequence that never ends', 'a\x1b[12', 'a12'],
    ['a lone escape at the end', 'a\x1b', 'a'],
    ['bold of a manual page', 'N\bNA\bAM\bME\bE', 'NAME'],
    ['line ends of another system', 'a\r\nb\r\n', 'a\nb\n'],
  ])('takes out %s', (_name, text, plain) => {
    expect(condense(text)).toBe(plain);
  });

  it('keeps the last state of a progress bar and counts the earlier ones', () => {
    expect(condense('get 1%\rget 50%\rget 100%\ndone')).toBe('get 100% [… 2 progress updates omitted]\ndone');
    expect(condense('same\rsame\r\nnext')).toBe('same\nnext');
  });

  it('splits lines at single carriage returns', () => {
    const names = ['id', 'ada', 'bea', 'cleo', 'dora', 'eva', 'fay', 'gwen'];
    expect(condense(names.join('\r'))).toBe(names.join('\n'));
  });

  it('leaves plain text alone', () => {
    expect(condense('plain\ntext [1m')).toBeUndefined();
  });
});
