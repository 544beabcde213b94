import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SiteSilenceWatchdog } from './site-silence-watchdog.js';

describe('SiteSilenceWatchdog', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function watch(
    limitMs: () => number,
    isPaused = (): boolean => false,
  ): { dog: SiteSilenceWatchdog; reports: () => number } {
    let reports = 0;
    const dog = new SiteSilenceWatchdog(
      limitMs,
      isPaused,
      () => Date.now(),
      () => reports++,
    );
    return { dog, reports: () => reports };
  }

  it('reports once, after its limit of silence', () => {
    const { dog, reports } = watch(() => 100);
    jest.advanceTimersByTime(90);
    dog.touch();
    jest.advanceTimersByTime(99);
    expect(reports()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(reports()).toBe(1);
    jest.advanceTimersByTime(1000);
    expect(reports()).toBe(1);
  });

  it('does not count time in which it is paused', () => {
    let isPaused = true;
    const { reports } = watch(
      () => 100,
      () => isPaused,
    );
    jest.advanceTimersByTime(1000);
    expect(reports()).toBe(0);
    isPaused = false;
    jest.advanceTimersByTime(200);
    expect(reports()).toBe(1);
  });

  it('takes a shorter limit at a restart, and reports nothing after stop', () => {
    let limit = 1000;
    const first = watch(() => limit);
    limit = 10;
    first.dog.restart();
    jest.advanceTimersByTime(10);
    expect(first.reports()).toBe(1);
    const second = watch(() => limit);
    second.dog.stop();
    jest.advanceTimersByTime(100);
    expect(second.reports()).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });
});
