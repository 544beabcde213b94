import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WakeTimer } from './wake-timer.js';

let calls: number[];
let timer: WakeTimer;

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  calls = [];
  timer = new WakeTimer(() => calls.push(Date.now()));
});

afterEach(() => {
  timer.stop();
  jest.useRealTimers();
});

describe('WakeTimer', () => {
  it('wakes at the earliest requested time, and again at the next', () => {
    timer.wakeAt(500, 0);
    timer.wakeAt(300, 0);
    timer.wakeAt(400, 0);
    jest.advanceTimersByTime(1000);
    expect(calls).toEqual([300]);
    timer.wakeAt(1200, 1000);
    jest.advanceTimersByTime(1000);
    expect(calls).toEqual([300, 1200]);
  });

  it('wakes at once for a time in the past, and never before the earliest time', () => {
    timer.wakeAt(-5, 0);
    jest.advanceTimersByTime(1);
    expect(calls).toEqual([1]);
    timer.wakeAt(10.2, 1);
    jest.advanceTimersByTime(9);
    expect(calls).toEqual([1]);
    jest.advanceTimersByTime(1);
    expect(calls).toEqual([1, 11]);
  });

  it('sets no timer for Infinity, and does not fire once it is stopped', () => {
    timer.wakeAt(Infinity, 0);
    expect(jest.getTimerCount()).toBe(0);
    timer.wakeAt(10, 0);
    timer.stop();
    jest.advanceTimersByTime(100);
    expect(calls).toEqual([]);
  });
});
