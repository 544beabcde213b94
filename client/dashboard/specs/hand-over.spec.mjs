import { describe, expect, it } from '@jest/globals';
import { takeBatch } from '../assets/data/hand-over/batch.js';

const moves = (count) => Array.from({ length: count }, (_, x) => ({ type: 'move', x }));
const click = [{ type: 'down' }, { type: 'up' }];

describe('takeBatch', () => {
  it('takes everything that fits, in order', () => {
    const queue = [...moves(2), ...click];
    expect(takeBatch(queue, 4)).toEqual([...moves(2), ...click]);
    expect(queue).toEqual([]);
  });

  it('thins out a path of the mouse, but loses no click and no place of one', () => {
    const queue = [...moves(50), ...click, ...moves(50), ...click];
    expect(takeBatch(queue, 10)).toEqual([
      { type: 'move', x: 49 },
      ...click,
      ...moves(50).slice(-5),
      ...click,
    ]);
    expect(queue).toEqual([]);
  });

  it('leaves what does not fit for the next one', () => {
    const queue = [...click, ...click];
    expect(takeBatch(queue, 3)).toEqual([...click, { type: 'down' }]);
    expect(queue).toEqual([{ type: 'up' }]);
  });
});
