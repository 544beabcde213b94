import { EventEmitter } from 'node:events';
import { type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LogReads } from './log-reads.js';

/** A response as far as its end is concerned. */
class Reader extends EventEmitter {
  closed = false;

  close(): void {
    this.closed = true;
    this.emit('close');
  }
}

describe('LogReads', () => {
  let reads: LogReads;

  beforeEach(() => {
    jest.useFakeTimers();
    reads = new LogReads();
  });
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  /** Enters with so many readers; returns them with what became of each. */
  function enter(count: number): { readonly readers: Reader[]; readonly states: string[] } {
    const readers = Array.from({ length: count }, () => new Reader());
    const states = readers.map(() => 'waiting');
    readers.forEach((reader, index) => {
      reads.enter(reader as unknown as ServerResponse).then(
        () => (states[index] = 'reading'),
        (error: { code: string }) => (states[index] = error.code),
      );
    });
    return { readers, states };
  }
  const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

  it('lets two read at a time, in the order of their arrival', async () => {
    const { readers, states } = enter(4);
    await settle();
    expect(states).toEqual(['reading', 'reading', 'waiting', 'waiting']);
    readers[1]?.close();
    await settle();
    expect(states).toEqual(['reading', 'reading', 'reading', 'waiting']);
    readers.forEach((reader) => reader.close());
    await settle();
    const later = enter(3);
    await settle();
    expect(later.states).toEqual(['reading', 'reading', 'waiting']);
    later.readers[2]?.close();
    await settle();
  });

  it('passes over a caller that left while it waited, also in the moment of its turn', async () => {
    const { readers, states } = enter(5);
    await settle();
    readers[2]?.close();
    readers[0]?.close();
    readers[3]?.close();
    await settle();
    expect([states[1], states[4]]).toEqual(['reading', 'reading']);
    const late = enter(1);
    await settle();
    expect(late.states).toEqual(['waiting']);
    [...readers.slice(4), readers[1], ...late.readers].forEach((reader) => reader?.close());
    await settle();
  });

  it('refuses more than 32 that wait, and a wait of more than 5 s', async () => {
    const { readers, states } = enter(2 + 32 + 1);
    await settle();
    expect(states.slice(-2)).toEqual(['waiting', 'rate_limit']);
    await jest.advanceTimersByTimeAsync(5000);
    expect(new Set(states.slice(2))).toEqual(new Set(['rate_limit']));
    readers.forEach((reader) => reader.close());
    const { states: later } = enter(2);
    await settle();
    expect(later).toEqual(['reading', 'reading']);
  });
});
