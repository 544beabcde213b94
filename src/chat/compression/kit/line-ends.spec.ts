import { describe, expect, it } from '@jest/globals';
import { range } from '../../../../test/compression/strategy-context.js';
import { LineEnds } from './line-ends.js';

const END = `the service could not be reached at ${'address and port, '.repeat(8)}and is skipped`;
const FIGURES = ' 0'.repeat(90);

describe('LineEnds', () => {
  it('leaves a long end out that a line above has, behind the words by which it is found', () => {
    const ends = new LineEnds();
    const lines = range(1, 4).map((host) =>
      ends.short(`fatal: [web${host}]: ${host === 3 ? 'other words' : END}`),
    );
    expect(lines).toEqual([
      `fatal: [web1]: ${END}`,
      'fatal: [web2]: the service could not [… ends as above]',
      'fatal: [web3]: other words',
      'fatal: [web4]: the service could not [… ends as above]',
    ]);
  });

  it('leaves short ends, figures, words without a blank and what stands far above alone', () => {
    const ends = new LineEnds();
    const texts = [
      ...[
        'b: the same short end',
        'c: the same short end',
        `b 1${FIGURES}`,
        `c 2${FIGURES}`,
        `d ${'x'.repeat(300)}`,
        `e ${'x'.repeat(300)}`,
      ],
      ...[`f: ${END}`, ...range(1, 4).map((number) => `${END} ${number}`), `g: ${END}`],
    ];
    expect(texts.map((text) => ends.short(text))).toEqual(texts);
  });
});
