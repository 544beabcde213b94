import { beforeEach, expect, test } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { LogDestination } from './log-destination.js';

let written: string[];
let log: LogDestination;

beforeEach(() => {
  written = [];
  log = new LogDestination({ write: (lines) => void written.push(lines) });
});

test('the lines of one turn go out together and in order', async () => {
  log.write('a\n');
  await Promise.resolve();
  log.write('b\n');
  expect(written).toEqual([]);
  await setImmediate();
  expect(written).toEqual(['a\nb\n']);
  log.write('c\n');
  await setImmediate();
  expect(written).toEqual(['a\nb\n', 'c\n']);
});

test('what is pending can be written at once, and is written only once', async () => {
  log.write('a\n');
  log.flushSync();
  expect(written).toEqual(['a\n']);
  await setImmediate();
  expect(written).toEqual(['a\n']);
});
