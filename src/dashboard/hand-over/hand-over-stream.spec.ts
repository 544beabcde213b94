import { EventEmitter } from 'node:events';
import { type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { HEARTBEAT } from '../../common/http/answer/event-stream.js';
import { HandOverStream } from './hand-over-stream.js';

const HEARTBEAT_MS = 1000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A connection that takes what is written, and closes only when told to. */
class Connection extends EventEmitter {
  readonly written: string[] = [];
  writableEnded = false;

  writeHead(): void {
    // The headers are covered by the end-to-end tests.
  }

  write(text: string): boolean {
    expect(this.writableEnded).toBe(false);
    return this.written.push(text) > 0;
  }

  end(): void {
    this.writableEnded = true;
  }
}

const streamTo = (connection: Connection): HandOverStream =>
  new HandOverStream(connection as unknown as ServerResponse);

it('ends with the next heartbeat once its operator may not look any longer', () => {
  const connection = new Connection();
  const { written } = connection;
  const stream = streamTo(connection);
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

it('writes nothing after its end, also while the connection does not close', async () => {
  const connection = new Connection();
  const stream = streamTo(connection);
  stream.begin('h', HEARTBEAT_MS, () => true);
  stream.end({ outcome: 'left', durationMs: 1 });
  const { written } = connection;
  expect(written).toHaveLength(2);

  jest.advanceTimersByTime(3 * HEARTBEAT_MS);
  stream.handOver();
  await stream.show({ picture: '', width: 1, height: 1 });
  expect(written).toHaveLength(2);
});
