import { describe, expect, it } from '@jest/globals';
import { RecentRecords } from './recent-records.js';
import { type RequestLogEntry } from './request-log-entry.js';
import { toStoredRecord } from './stored-record.js';

const pending = (id: string): RequestLogEntry => ({
  kind: 'request',
  id,
  startedAt: 0,
  method: 'GET',
  path: '/',
  outcome: 'pending',
});

/** Begins records with the numbers 1, 2, 3 …; `end` ends one with the next number. */
function rig(maxRecords: number): {
  recents: RecentRecords;
  begin: (id: string) => number;
  end: (seq: number, changes?: Partial<RequestLogEntry>) => void;
} {
  const recents = new RecentRecords(0, maxRecords);
  const open = new Map<number, RequestLogEntry>();
  let last = 0;
  return {
    recents,
    begin: (id) => {
      open.set(++last, pending(id));
      recents.begun(last, open.get(last)!);
      return last;
    },
    end: (seq, changes) => {
      recents.ended(
        toStoredRecord({ ...open.get(seq)!, outcome: 'ok', ...changes }, { seq, changed: ++last }),
      );
    },
  };
}

const ids = (recents: RecentRecords, limit = 100): string[] => recents.newest(limit).map(({ id }) => id);

describe('RecentRecords', () => {
  it('has the newest first, in the order in which they began, in their present state', () => {
    const { recents, begin, end } = rig(10);
    const first = begin('a');
    begin('b');
    end(first, { status: 200 });
    expect(recents.newest(5)).toEqual([pending('b'), { ...pending('a'), outcome: 'ok', status: 200 }]);
    expect([ids(recents, 1), ids(recents, 0)]).toEqual([['b'], []]);
  });

  it('keeps so many, and every one that is pending', () => {
    const { recents, begin, end } = rig(3);
    const waiting = begin('waiting');
    ['a', 'b', 'c', 'd'].forEach((id) => end(begin(id)));
    expect(ids(recents)).toEqual(['d', 'c', 'waiting']);
    end(waiting, { outcome: 'cancelled' });
    expect(recents.newest(3).at(-1)).toMatchObject({ id: 'waiting', outcome: 'cancelled' });
  });

  it('keeps no more texts than it may, however few records', () => {
    const { recents, begin, end } = rig(100);
    const content = { messages: [], reasoning: '', answer: 'x'.repeat(5 * 2 ** 20) };
    ['a', 'b', 'c', 'd'].forEach((id) => end(begin(id), { content }));
    expect(ids(recents)).toEqual(['d', 'c', 'b']);
  });

  it('knows what changed after a number, and whether it still has all of that', () => {
    const { recents, begin, end } = rig(2);
    const [a, b] = [begin('a'), begin('b')];
    end(b);
    end(a);
    const changes = (number: number): [number, string][] =>
      recents
        .changedAfter(number)
        .map((record) => [record.changed, (JSON.parse(record.text(true)) as { id: string }).id]);
    expect(changes(0)).toEqual([
      [3, 'b'],
      [4, 'a'],
    ]);
    expect(changes(3)).toEqual([[4, 'a']]);
    expect([recents.covers(0), new RecentRecords(7).covers(6), new RecentRecords(7).covers(7)]).toEqual([
      true,
      false,
      true,
    ]);
    begin('c');
    // `a` had to go, which changed last with 4.
    expect([ids(recents), recents.covers(3), recents.covers(4)]).toEqual([['c', 'b'], false, true]);
  });
});
