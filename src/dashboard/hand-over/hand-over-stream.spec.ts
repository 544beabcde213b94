import { EventEmitter } from 'node:events';
import { type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { HEARTBEAT } from '../../common/http/answer/event-stream.js';
import { HandOverStream } from './hand-over-stream.js';

const HEARTBEAT_MS = 1000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('ends with the next heartbeat once its operator may not look any longer', () => {
  const written: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    writeHead: () => undefined,
    write: (text: string) => written.push(text) > 0,
  });
  const stream = new HandOverStream(response as unknown as ServerResponse);
  let mayLook = true;
  stream.begin('h', HEARTBEAT_MS, () => mayLook);
  jest.advanceTimersByTime(HEARTBEAT_MS);
  expect(written.at(-1)).toBe(HEARTBEAT);
  expect(stream.left.aborted).toBe(false);

  mayLook = false;
  jest.advanceTimersByTime(2 * HEARTBEAT_MS);
  expect(stream.left.aborted).toBe(true);
  expect(written).toHaveLength(2);
});
