import { describe, expect, it } from '@jest/globals';
import { Mutex } from './mutex.js';

describe('Mutex', () => {
  it('runs one task at a time, in order, failed ones included', async () => {
    const mutex = new Mutex();
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const first = mutex.run(async () => {
      log.push('a');
      await gate.promise;
      log.push('b');
      throw new Error('failed');
    });
    const second = mutex.run(async () => log.push('c'));
    gate.resolve();
    await expect(first).rejects.toThrow('failed');
    await second;
    expect(log).toEqual(['a', 'b', 'c']);
  });

  it('lets a waiting caller leave without stopping those behind it', async () => {
    const mutex = new Mutex();
    const gate = Promise.withResolvers<void>();
    const first = mutex.run(() => gate.promise);
    const leaver = new AbortController();
    const left = mutex.run(async () => 'ran', leaver.signal);
    const last = mutex.run(async () => 'last');
    leaver.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    gate.resolve();
    await first;
    expect(await last).toBe('last');
  });
});
