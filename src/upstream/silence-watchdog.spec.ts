import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type FlowGate, FlowValve } from './flow-gate.js';
import { SilenceWatchdog } from './silence-watchdog.js';

function watch(limitMs: number, flow: FlowGate = new FlowValve()): [SilenceWatchdog, () => number] {
  let reports = 0;
  const dog = new SilenceWatchdog(flow, () => reports++);
  dog.start(limitMs);
  return [dog, () => reports];
}

describe('SilenceWatchdog', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('reports once, after its limit of silence', () => {
    const [dog, reports] = watch(80);
    jest.advanceTimersByTime(70);
    dog.touch();
    jest.advanceTimersByTime(79);
    expect(reports()).toBe(0);
    jest.advanceTimersByTime(11);
    expect(reports()).toBe(1);
    jest.advanceTimersByTime(1000);
    expect(reports()).toBe(1);
  });

  it('does not count time in which the caller does not keep up', () => {
    const flow = new FlowValve();
    flow.close();
    const [, reports] = watch(80, flow);
    jest.advanceTimersByTime(1000);
    expect(reports()).toBe(0);
    flow.open();
    jest.advanceTimersByTime(90);
    expect(reports()).toBe(1);
  });

  it('takes another limit at a new start, and reports nothing after its end', () => {
    const [first, firstReports] = watch(1000);
    first.start(8);
    jest.advanceTimersByTime(8);
    expect(firstReports()).toBe(1);
    const [second, secondReports] = watch(80);
    second.stop();
    jest.advanceTimersByTime(100);
    expect(secondReports()).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });
});

it('blames no upstream for a stall of this process, after which its timer runs before what has come', async () => {
  const [dog, reports] = watch(80);
  const until = performance.now() + 160;
  while (performance.now() < until) {
    // The event loop stands still.
  }
  // The poll phase of the event loop comes after its timers.
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  dog.touch();
  expect(reports()).toBe(0);
  dog.stop();
});
