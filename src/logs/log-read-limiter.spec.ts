import { EventEmitter } from 'node:events';
import { type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LogReadLimiter } from './log-read-limiter.js';

/** A response as far as its end is concerned. */
class Reader extends EventEmitter {
  closed = false;

  close(): void {
    this.closed = true;
    this.emit('close');
  }
}

describe('LogReadLimiter', () => {
  let limiter: LogReadLimiter;

  beforeEach(() => {
    jest.useFakeTimers();
    limiter = new LogReadLimiter();
  });
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  /** Enters with so many operators, or for each of the keys; returns the readers with what became of each. */
  function enter(count: number | readonly string[]): {
    readonly readers: Reader[];
    readonly states: string[];
  } {
    const owners = typeof count === 'number' ? Array<undefined>(count).fill(undefined) : count;
    const readers = owners.map(() => new Reader());
    const states = readers.map(() => 'waiting');
    readers.forEach((reader, index) => {
      limiter.enter(reader as unknown as ServerResponse, owners[index]).then(
        () => (states[index] = 'reading'),
        (error: { code: string }) => (states[index] = error.code),
      );
    });
    return { readers, states };
  }
  const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

  it('lets three read at a time, in the order of their arrival', async () => {
    const { readers, states } = enter(5);
    await settle();
    expect(states).toEqual(['reading', 'reading', 'reading', 'waiting', 'waiting']);
    readers[1]?.close();
    await settle();
    expect(states).toEqual(['reading', 'reading', 'reading', 'reading', 'waiting']);
    readers.forEach((reader) => reader.close());
    await settle();
    const later = enter(4);
    await settle();
    expect(later.states).toEqual(['reading', 'reading', 'reading', 'waiting']);
    later.readers[3]?.close();
    await settle();
  });

  it("lets each caller's key have one place, and leaves one to operators", async () => {
    const { readers, states } = enter(['a', 'a', 'b', 'c']);
    const operators = enter(2);
    await settle();
    expect(states).toEqual(['reading', 'waiting', 'reading', 'waiting']);
    expect(operators.states).toEqual(['reading', 'waiting']);
    readers[2]?.close();
    await settle();
    expect(states).toEqual(['reading', 'waiting', 'reading', 'reading']);
    expect(operators.states).toEqual(['reading', 'waiting']);
    [...readers, ...operators.readers].forEach((reader) => reader.close());
    await settle();
  });

  it('lets eight of a key wait, and others beside them', async () => {
    const { readers, states } = enter(Array<string>(10).fill('a'));
    const { readers: others, states: ofOthers } = enter(['b']);
    await settle();
    expect(states.slice(-2)).toEqual(['waiting', 'rate_limit']);
    expect(ofOthers).toEqual(['reading']);
    [...readers, ...others].forEach((reader) => reader.close());
    await settle();
  });

  it('takes a place back before its response is closed', async () => {
    const response = new Reader() as unknown as ServerResponse;
    const leave = await limiter.enter(response, 'a');
    const { readers, states } = enter(['a']);
    await settle();
    expect(states).toEqual(['waiting']);
    leave();
    await settle();
    expect([states, response.listenerCount('close')]).toEqual([['reading'], 0]);
    readers.forEach((reader) => reader.close());
  });

  it('passes over a caller that left while it waited, also in the moment of its turn', async () => {
    const { readers, states } = enter(6);
    await settle();
    readers[3]?.close();
    readers[0]?.close();
    readers[4]?.close();
    await settle();
    expect([states[1], states[2], states[5]]).toEqual(['reading', 'reading', 'reading']);
    const late = enter(1);
    await settle();
    expect(late.states).toEqual(['waiting']);
    [...readers.slice(5), ...readers.slice(1, 3), ...late.readers].forEach((reader) => reader?.close());
    await settle();
  });

  it('refuses more than 32 that wait, and a wait of more than 5 s', async () => {
    const { readers, states } = enter(3 + 32 + 1);
    await settle();
    expect(states.slice(-2)).toEqual(['waiting', 'rate_limit']);
    await jest.advanceTimersByTimeAsync(5000);
    expect(new Set(states.slice(3))).toEqual(new Set(['rate_limit']));
    readers.forEach((reader) => reader.close());
    const { states: later } = enter(2);
    await settle();
    expect(later).toEqual(['reading', 'reading']);
  });
});
