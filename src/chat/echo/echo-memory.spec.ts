import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../common/time/clock.js';
import { EchoMemory, requestDigest } from './echo-memory.js';

class TestClock extends Clock {
  at = 1000;

  now(): number {
    throw new Error('wall-clock time may jump');
  }

  monotonic(): number {
    return this.at;
  }
}

describe('EchoMemory', () => {
  it('keeps a request for a minute', () => {
    const clock = new TestClock();
    const memory = new EchoMemory(clock);
    expect([memory.isEmpty, memory.corrections('a')]).toEqual([true, 0]);
    memory.remember('a', 1);
    clock.at += 59_999;
    expect([memory.isEmpty, memory.corrections('a'), memory.corrections('b')]).toEqual([false, 1, 0]);
    clock.at += 1;
    expect([memory.isEmpty, memory.corrections('a')]).toEqual([true, 0]);
  });

  it('restarts the minute with each drop', () => {
    const clock = new TestClock();
    const memory = new EchoMemory(clock);
    memory.remember('a', 1);
    clock.at += 30_000;
    memory.remember('b', 1);
    memory.remember('a', 2);
    clock.at += 45_000;
    expect([memory.corrections('a'), memory.corrections('b')]).toEqual([2, 1]);
    clock.at += 15_000;
    expect(memory.isEmpty).toBe(true);
  });

  it('forgets an answered request', () => {
    const memory = new EchoMemory(new TestClock());
    memory.remember('a', 1);
    memory.remember('b', 2);
    memory.forget('a');
    expect([memory.corrections('a'), memory.corrections('b')]).toEqual([0, 2]);
  });

  it('evicts the oldest entry above its limit', () => {
    const memory = new EchoMemory(new TestClock(), 2);
    memory.remember('a', 1);
    memory.remember('b', 1);
    memory.remember('a', 2);
    memory.remember('c', 1);
    expect(['a', 'b', 'c'].map((id) => memory.corrections(id))).toEqual([2, 0, 1]);
  });
});

describe('requestDigest', () => {
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

  it('is equal for the same body from the same caller, and reveals neither', () => {
    const id = requestDigest(['Bearer key', '10.0.0.1'], body);
    expect(id).toBe(requestDigest(['Bearer key', '10.0.0.1'], structuredClone(body)));
    expect(id).toMatch(/^[\w+/]{43}=$/);
  });

  it('differs by caller and by body', () => {
    const ids = [
      requestDigest(['Bearer a', 'x'], body),
      requestDigest(['Bearer b', 'x'], body),
      requestDigest(['Bearer a', 'y'], body),
      requestDigest([undefined, 'x'], body),
      requestDigest(['', 'x'], body),
      requestDigest(['Bearer a'], body),
      requestDigest(['Bearer a', 'x'], { ...body, stream: false }),
      requestDigest(['Bearer a', 'x'], { ...body, messages: [{ role: 'user', content: 'Hi!' }] }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
