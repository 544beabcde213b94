import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LATE_MS, LateWrites } from './write-behind.js';

describe('LateWrites', () => {
  let written: string[];
  let transactions: number;
  let isFull: boolean;
  let failures: unknown[];
  let writes: LateWrites;

  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    failures = [];
    transactions = 0;
    isFull = false;
    writes = new LateWrites(
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

  it('puts what gathers into one transaction, the last of each', () => {
    writes.later('a', write('a1'));
    writes.later('b', write('b1'));
    writes.later('a', write('a2'));
    expect(written).toEqual([]);
    jest.advanceTimersByTime(LATE_MS);
    expect([written, transactions]).toEqual([['a2', 'b1'], 1]);
    jest.advanceTimersByTime(10 * LATE_MS);
    expect(transactions).toBe(1);
  });

  it('writes at once on demand, with what waits', () => {
    writes.later('a', write('a1'));
    writes.now('b', write('b1'));
    expect(written).toEqual(['a1', 'b1']);
  });

  it('tries again what could not be written, and says so once', () => {
    isFull = true;
    writes.now('a', write('a1'));
    jest.advanceTimersByTime(5 * LATE_MS);
    writes.now('a', write('a2'));
    expect([written, failures]).toEqual([[], [new Error('full')]]);
    isFull = false;
    jest.advanceTimersByTime(LATE_MS);
    expect(written).toEqual(['a2']);
    isFull = true;
    writes.now('a', write('a3'));
    expect(failures).toHaveLength(2);
  });

  it('writes what waits when it is closed, and nothing afterwards', () => {
    writes.later('a', write('a1'));
    writes.close();
    expect(written).toEqual(['a1']);
    isFull = true;
    writes.later('a', write('a2'));
    writes.close();
    jest.advanceTimersByTime(10 * LATE_MS);
    expect([written, jest.getTimerCount()]).toEqual([['a1'], 0]);
  });
});
