import { describe, expect, it } from '@jest/globals';
import { cpuMs, expectCostRatio } from '../../../../../test/support/watch/cpu-time.js';
import { MixedDelta } from './mixed-delta.js';

describe('MixedDelta', () => {
  it('passes on what is new of texts that are added to and replaced', () => {
    const mixed = new MixedDelta();
    expect([
      mixed.append.push('a'),
      mixed.snapshot.push('ab'),
      mixed.snapshot.push('ab'),
      mixed.append.push('c\ud83d'),
      mixed.append.push('\ude00'),
      mixed.snapshot.push('abc😀d\ud83d'),
      mixed.snapshot.push('abc😀de'),
      mixed.append.push('\ud83d'),
      mixed.append.push(''),
      mixed.append.end(),
    ]).toEqual(['a', 'b', '', 'c', '😀', 'd', 'e', '', '', '\ud83d']);
  });

  it('ends an answer whose text is changed behind', () => {
    const mixed = new MixedDelta();
    mixed.append.push('ab');
    expect(() => mixed.snapshot.push('aX')).toThrow('The site changed text that was already passed on.');
  });

  it('costs the same for each piece of a long answer', () => {
    const cost = (pieces: number): number =>
      cpuMs(() => {
        const mixed = new MixedDelta();
        for (let at = 0; at < pieces; at++) {
          mixed.append.push('piece');
        }
      });
    expectCostRatio({ small: () => cost(10_000), large: () => cost(80_000) }, 24);
  });
});
