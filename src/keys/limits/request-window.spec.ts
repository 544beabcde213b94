import { describe, expect, it } from '@jest/globals';
import { RequestWindow } from './request-window.js';

describe('RequestWindow', () => {
  const filled = (limit: number, times: readonly number[]): RequestWindow => {
    const window = new RequestWindow(limit);
    times.forEach((time) => expect(window.enter(time)).toBe(0));
    return window;
  };

  it('lets so many in within any 60 seconds', () => {
    const window = filled(2, [0, 10]);
    expect(window.enter(20)).toBe(59_980);
    expect(window.enter(60_000)).toBe(0);
    expect(window.enter(60_001)).toBe(9);
  });

  it('counts what was let in when the limit grows', () => {
    const window = filled(2, [0, 10]);
    window.resize(3, 20);
    expect([window.remaining(20), window.enter(20), window.enter(30)]).toEqual([1, 0, 59_970]);
    expect(window.used(30)).toBe(3);
  });

  it('waits until enough have passed when the limit shrinks', () => {
    const window = filled(3, [0, 10, 20]);
    window.resize(1, 30);
    expect([window.remaining(30), window.enter(30)]).toEqual([0, 59_990]);
    expect(window.enter(60_015)).toBe(5);
    expect(window.enter(60_020)).toBe(0);
  });

  it('keeps its place in the ring', () => {
    const window = filled(3, [0, 10, 20]);
    expect(window.enter(60_000)).toBe(0);
    window.resize(5, 60_005);
    expect(window.used(60_005)).toBe(3);
    expect(window.used(60_010)).toBe(2);
    expect(window.used(60_020)).toBe(1);
    expect(window.used(119_999)).toBe(1);
    expect(window.used(120_000)).toBe(0);
  });

  it('lets nobody in with a limit of none', () => {
    const window = new RequestWindow(0);
    expect([window.enter(5), window.remaining(5)]).toEqual([60_000, 0]);
  });
});
