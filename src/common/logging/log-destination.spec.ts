import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { LogDestination } from './log-destination.js';

let written: string[];
let log: LogDestination;

describe('LogDestination', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    log = new LogDestination({ write: (lines) => void written.push(lines) });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  test('writes lines within 100 ms as one batch, in order', () => {
    log.write('a\n');
    jest.advanceTimersByTime(99);
    log.write('b\n');
    expect(written).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(written).toEqual(['a\nb\n']);
    log.write('c\n');
    jest.advanceTimersByTime(100);
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  test('writes at once what would fill a pipe', () => {
    const line = `${'x'.repeat(999)}\n`;
    for (let count = 0; count < 20; count += 1) {
      log.write(line);
    }
    expect(written).toEqual([line.repeat(17)]);
    jest.advanceTimersByTime(100);
    expect(written).toEqual([line.repeat(17), line.repeat(3)]);
  });

  test('writes pending lines once when flushed', () => {
    log.write('a\n');
    log.flushSync();
    expect(written).toEqual(['a\n']);
    jest.advanceTimersByTime(100);
    expect(written).toEqual(['a\n']);
  });
});
