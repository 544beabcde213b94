import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WRITE_DELAY_MS, WriteBehind } from './write-behind.js';

describe('WriteBehind', () => {
  let written: string[];
  let transactions: number;
  let isFull: boolean;
  let failures: unknown[];
  let writes: WriteBehind;

  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    failures = [];
    transactions = 0;
    isFull = false;
    writes = new WriteBehind(
      (work) => {
        transactions += 1;
        if (isFull) {
          throw new Error('full');
        }
        work();
      },
      (error) => failures.push(error),
    );
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const write = (text: string) => () => void written.push(text);

  it('commits enqueued writes in one transaction, the last of each key', () => {
    writes.enqueue('a', write('a1'));
    writes.enqueue('b', write('b1'));
    writes.enqueue('a', write('a2'));
    expect(written).toEqual([]);
    jest.advanceTimersByTime(WRITE_DELAY_MS);
    expect([written, transactions]).toEqual([['a2', 'b1'], 1]);
    jest.advanceTimersByTime(10 * WRITE_DELAY_MS);
    expect(transactions).toBe(1);
  });

  it('writes at once on demand, together with the pending writes', () => {
    writes.enqueue('a', write('a1'));
    writes.writeNow('b', write('b1'));
    expect(written).toEqual(['a1', 'b1']);
  });

  it('repeats failed writes, and reports the failure once', () => {
    isFull = true;
    writes.writeNow('a', write('a1'));
    jest.advanceTimersByTime(5 * WRITE_DELAY_MS);
    writes.writeNow('a', write('a2'));
    expect([written, failures]).toEqual([[], [new Error('full')]]);
    isFull = false;
    jest.advanceTimersByTime(WRITE_DELAY_MS);
    expect(written).toEqual(['a2']);
    isFull = true;
    writes.writeNow('a', write('a3'));
    expect(failures).toHaveLength(2);
  });

  it('writes the pending writes when it is closed, and nothing afterwards', () => {
    writes.enqueue('a', write('a1'));
    writes.close();
    expect(written).toEqual(['a1']);
    isFull = true;
    writes.enqueue('a', write('a2'));
    writes.close();
    jest.advanceTimersByTime(10 * WRITE_DELAY_MS);
    expect([written, jest.getTimerCount()]).toEqual([['a1'], 0]);
  });
});
