import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SiteSilenceWatchdog } from './site-silence-watchdog.js';

describe('SiteSilenceWatchdog', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function watch(
    limitMs: () => number,
    isPaused = (): boolean => false,
  ): { dog: SiteSilenceWatchdog; bites: () => number } {
    let bites = 0;
    const dog = new SiteSilenceWatchdog(
      limitMs,
      isPaused,
      () => Date.now(),
      () => bites++,
    );
    return { dog, bites: () => bites };
  }

  it('bites once, after silence', () => {
    const { dog, bites } = watch(() => 100);
    jest.advanceTimersByTime(90);
    dog.touch();
    jest.advanceTimersByTime(99);
    expect(bites()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(bites()).toBe(1);
    jest.advanceTimersByTime(1000);
    expect(bites()).toBe(1);
  });

  it('does not count time in which it is paused', () => {
    let isPaused = true;
    const { bites } = watch(
      () => 100,
      () => isPaused,
    );
    jest.advanceTimersByTime(1000);
    expect(bites()).toBe(0);
    isPaused = false;
    jest.advanceTimersByTime(200);
    expect(bites()).toBe(1);
  });

  it('takes a shorter limit at a restart, and ends with stop', () => {
    let limit = 1000;
    const first = watch(() => limit);
    limit = 10;
    first.dog.restart();
    jest.advanceTimersByTime(10);
    expect(first.bites()).toBe(1);
    const second = watch(() => limit);
    second.dog.stop();
    jest.advanceTimersByTime(100);
    expect(second.bites()).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });
});
