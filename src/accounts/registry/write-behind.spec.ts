import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Outage } from '../../common/logging/outage.js';
import { RETRY_MS, WriteBehind } from './write-behind.js';

const DELAY_MS = 300;

describe('WriteBehind', () => {
  let written: string[];
  let transactions: number;
  let isFull: boolean;
  let failures: unknown[];
  let writes: WriteBehind<string>;

  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    failures = [];
    transactions = 0;
    isFull = false;
    writes = new WriteBehind(
      (changes) => {
        transactions += 1;
        if (isFull) {
          return Promise.reject(new Error('full'));
        }
        written.push(...changes);
        return Promise.resolve();
      },
      new Outage({ begun: (error) => failures.push(error), over: () => undefined }),
      DELAY_MS,
    );
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const write = (text: string) => () => text;

  it('commits enqueued writes in one transaction, the last of each key', async () => {
    writes.enqueue('a', write('a1'));
    writes.enqueue('b', write('b1'));
    writes.enqueue('a', write('a2'));
    expect(written).toEqual([]);
    await jest.advanceTimersByTimeAsync(DELAY_MS);
    expect([written, transactions]).toEqual([['a2', 'b1'], 1]);
    await jest.advanceTimersByTimeAsync(10 * DELAY_MS);
    expect(transactions).toBe(1);
  });

  it('writes at once on demand, together with the pending writes', () => {
    writes.enqueue('a', write('a1'));
    writes.writeNow('b', write('b1'));
    expect(written).toEqual(['a1', 'b1']);
  });

  it('goes on after a slow write with what has come meanwhile, however it ends', async () => {
    for (const end of ['resolve', 'reject'] as const) {
      const taken: string[][] = [];
      const slow = Promise.withResolvers<void>();
      const behind = new WriteBehind<string>(
        (changes) => (taken.push([...changes]) === 1 ? slow.promise : Promise.resolve()),
        new Outage({ begun: () => undefined, over: () => undefined }),
        DELAY_MS,
      );
      behind.writeNow('a', write('a1'));
      behind.enqueue('b', write('b1'));
      await jest.advanceTimersByTimeAsync(2 * DELAY_MS);
      expect(taken).toEqual([['a1']]);
      slow[end]();
      await jest.advanceTimersByTimeAsync(2 * DELAY_MS);
      expect(taken.slice(1)).toEqual([end === 'resolve' ? ['b1'] : ['a1', 'b1']]);
    }
  });

  it('repeats failed writes, and reports the failure once', async () => {
    isFull = true;
    writes.writeNow('a', write('a1'));
    await jest.advanceTimersByTimeAsync(5 * RETRY_MS);
    writes.writeNow('a', write('a2'));
    expect([written, failures]).toEqual([[], [new Error('full')]]);
    isFull = false;
    await jest.advanceTimersByTimeAsync(RETRY_MS);
    expect(written).toEqual(['a2']);
    isFull = true;
    writes.writeNow('a', write('a3'));
    await jest.advanceTimersByTimeAsync(0);
    expect(failures).toHaveLength(2);
  });

  it('writes the pending writes when it is closed, and nothing afterwards', async () => {
    writes.enqueue('a', write('a1'));
    await writes.close();
    expect(written).toEqual(['a1']);
    isFull = true;
    writes.enqueue('a', write('a2'));
    await writes.close();
    await jest.advanceTimersByTimeAsync(10 * DELAY_MS);
    expect([written, jest.getTimerCount()]).toEqual([['a1'], 0]);
  });

  it('writes what comes in during a write after it, and keeps it if it is newer', async () => {
    const ends: (() => void)[] = [];
    const slow = new WriteBehind<string>(
      (changes) => new Promise((resolve) => ends.push(() => (written.push(...changes), resolve()))),
      new Outage({ begun: (error) => failures.push(error), over: () => undefined }),
      DELAY_MS,
    );
    slow.writeNow('a', write('a1'));
    slow.writeNow('a', write('a2'));
    slow.writeNow('b', () => undefined);
    expect([ends.length, slow.has('a')]).toEqual([1, true]);
    ends[0]?.();
    await jest.advanceTimersByTimeAsync(0);
    ends[1]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect([written, slow.has('a')]).toEqual([['a1', 'a2'], false]);
  });
});
