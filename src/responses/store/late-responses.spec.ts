import { describe, expect, it } from '@jest/globals';
import { LateResponses } from './late-responses.js';
import { type ResponseRecord } from './response-record.js';

function record(id: string, previous: string | null = null): ResponseRecord {
  return {
    id,
    owner: 'ann',
    createdAt: 1,
    previous,
    status: 'completed',
    body: 'x'.repeat(10),
    input: '',
    events: null,
  };
}

describe('LateResponses', () => {
  it('gives them back in the order of their end, each until it is deleted', () => {
    const late = new LateResponses();
    ['a', 'b'].forEach((id) => late.add(record(id)));
    expect(late.first?.id).toBe('a');
    late.delete('a');
    expect([late.first?.id, late.find({ id: 'a', owner: 'ann' })]).toEqual(['b', undefined]);
    late.delete('b');
    expect(late.first).toBeUndefined();
  });

  it('finds them for their owner alone', () => {
    const late = new LateResponses();
    late.add(record('a'));
    expect(late.find({ id: 'a', owner: 'ann' })).toEqual(record('a'));
    expect(late.find({ id: 'a', owner: 'bob' })).toBeUndefined();
    expect(late.chain({ id: 'a', owner: 'bob' })).toEqual([]);
  });

  it('finds the end of a conversation, the last first', () => {
    const late = new LateResponses();
    [record('b', 'a'), record('x'), record('c', 'b')].forEach((one) => late.add(one));
    expect(late.chain({ id: 'c', owner: 'ann' }).map(({ id }) => id)).toEqual(['c', 'b']);
  });

  it('loses the oldest when there are too many, but neither the one being stored nor the latest', () => {
    const late = new LateResponses(25);
    expect(['a', 'b', 'b', 'c'].map((id) => late.add(record(id)))).toEqual([0, 0, 0, 1]);
    expect(['a', 'b', 'c'].filter((id) => late.find({ id, owner: 'ann' }))).toEqual(['a', 'c']);
    late.delete('a');
    expect([late.add(record('d')), late.first?.id]).toEqual([0, 'c']);
    expect(new LateResponses(5).add(record('a'))).toBe(0);
  });
});
