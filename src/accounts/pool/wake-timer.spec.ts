import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
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

test('wakes at the earliest of the times given, and again at the next', () => {
  timer.wakeAt(500, 0);
  timer.wakeAt(300, 0);
  timer.wakeAt(400, 0);
  jest.advanceTimersByTime(1000);
  expect(calls).toEqual([300]);
  timer.wakeAt(1200, 1000);
  jest.advanceTimersByTime(1000);
  expect(calls).toEqual([300, 1200]);
});

test('wakes soon for a time that is over, and never before its time', () => {
  timer.wakeAt(-5, 0);
  jest.advanceTimersByTime(1);
  expect(calls).toEqual([1]);
  timer.wakeAt(10.2, 1);
  jest.advanceTimersByTime(9);
  expect(calls).toEqual([1]);
  jest.advanceTimersByTime(1);
  expect(calls).toEqual([1, 11]);
});

test('sets nothing for Infinity, and nothing fires once it is stopped', () => {
  timer.wakeAt(Infinity, 0);
  expect(jest.getTimerCount()).toBe(0);
  timer.wakeAt(10, 0);
  timer.stop();
  jest.advanceTimersByTime(100);
  expect(calls).toEqual([]);
});
