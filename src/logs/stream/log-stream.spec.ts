import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Request, type Response } from 'express';
import { Subject } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { digestOf } from '../../common/http/access/bearer.js';
import { KeyRing } from '../../common/http/access/key-ring.js';
import { SystemClock } from '../../common/time/clock.js';
import { type LogJournal } from '../journal/log-journal.js';
import { LogReadLimiter } from '../log-read-limiter.js';
import { type ReadChange } from '../store/log-reader.js';
import { LogStream } from './log-stream.js';
import { type FollowOptions } from './stream-follower.js';

const HEARTBEAT = ': heartbeat\n\n';

/** A client that reads at once, unless it is stalled. */
class Client extends EventEmitter {
  readonly writes: string[] = [];
  readonly writableLength = 0;
  closed = false;
  destroyed = false;
  writableEnded = false;

  constructor(private readonly isStalled: boolean) {
    super();
  }

  writeHead(): void {
    // The headers are covered by the end-to-end tests.
  }

  write(text: string, written?: () => void): void {
    this.writes.push(text);
    if (!this.isStalled) {
      written?.();
    }
  }

  end(): void {
    this.writableEnded = true;
    this.close();
  }

  destroy(): void {
    this.destroyed = true;
    this.close();
  }

  private close(): void {
    this.closed = true;
    this.emit('close');
  }
}

describe('LogStream', () => {
  let settings: Settings;
  let stream: LogStream;
  let missed: readonly ReadChange[];

  beforeEach(() => {
    jest.useFakeTimers();
    missed = [{ changed: 0, text: '{}' }];
    settings = Object.assign(new Settings(), { HEARTBEAT_INTERVAL_MS: 1000 });
    const journal = {
      allChanges$: new Subject(),
      lastNumber: 0,
      settle: () => undefined,
      flush: () => ({ changes: () => Promise.resolve(missed) }),
    } as unknown as LogJournal;
    stream = new LogStream(journal, settings, new SystemClock(), new KeyRing(settings), new LogReadLimiter());
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const follow = (
    options: Partial<FollowOptions> & {
      readonly after?: string;
      readonly isStalled?: boolean;
      readonly hasLeft?: boolean;
    } = {},
  ): Client => {
    const { after, isStalled = false, hasLeft = false, ...rest } = options;
    const client = new Client(isStalled);
    client.closed = hasLeft;
    const request = { method: 'GET' } as Request;
    stream.follow(request, client as unknown as Response, { kind: 'all', withTexts: false, ...rest }, after);
    return client;
  };
  const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

  it('sends heartbeats at the interval of the setting, also after it has changed', () => {
    const client = follow();
    jest.advanceTimersByTime(1000);
    expect(client.writes).toEqual([HEARTBEAT, HEARTBEAT]);
    settings.HEARTBEAT_INTERVAL_MS = 100;
    jest.advanceTimersByTime(1000);
    client.writes.length = 0;
    jest.advanceTimersByTime(1000);
    expect(client.writes).toEqual(Array(10).fill(HEARTBEAT));
  });

  it('stops its timers when the last follower leaves', () => {
    const [first, second] = [follow(), follow()];
    first.end();
    expect(jest.getTimerCount()).toBe(1);
    second.end();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('keeps no follower that left while its ticket was looked up', () => {
    const client = follow({ hasLeft: true });
    expect([client.writes, stream.followerCount, jest.getTimerCount()]).toEqual([[], 0, 0]);
  });

  it('sends what was missed, and says when that is not all', async () => {
    const whole = follow({ after: '0' });
    await settle();
    missed = [{ changed: 0, text: JSON.stringify('x'.repeat(2 ** 24)) }];
    const part = follow({ after: '0' });
    await settle();
    expect([whole.writes, part.writes]).toEqual([
      [HEARTBEAT, 'id: 0\ndata: {}\n\n'],
      [HEARTBEAT, `: older records are left out\n\nid: 0\ndata: ${missed[0]?.text}\n\n`],
    ]);
  });

  it('sends missed texts to one client of a key at a time, and for 30 s at most', async () => {
    settings.API_KEYS = 'a:secret';
    const key = { name: 'a', role: 'caller', digest: digestOf('secret') } as const;
    const stalled = follow({ after: '0', withTexts: true, key, isStalled: true });
    const next = follow({ after: '0', withTexts: true, key });
    await jest.advanceTimersByTimeAsync(4999);
    expect([stalled.writes, next.writes]).toEqual([[HEARTBEAT, 'id: 0\ndata: {}\n\n'], [HEARTBEAT]]);
    await jest.advanceTimersByTimeAsync(1);
    expect(next.writableEnded).toBe(true);
    await jest.advanceTimersByTimeAsync(24_999);
    expect(stalled.destroyed).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(stalled.destroyed).toBe(true);
    const last = follow({ after: '0', withTexts: true, key });
    await settle();
    expect(last.writes).toEqual([HEARTBEAT, 'id: 0\ndata: {}\n\n']);
  });

  it('sends a caller what it missed to one client at a time without texts, too, and operators at once', async () => {
    settings.API_KEYS = 'a:secret';
    settings.API_KEY = 'key';
    const caller = { name: 'a', role: 'caller', digest: digestOf('secret') } as const;
    const operator = { name: 'API_KEY', role: 'operator', digest: digestOf('key') } as const;
    const clients = [caller, caller, operator, operator, operator, operator].map((key) =>
      follow({ after: '0', key, isStalled: true }),
    );
    await settle();
    expect(clients.map(({ writes }) => writes.length)).toEqual([2, 1, 2, 2, 2, 2]);
    clients[0]?.destroy();
    await settle();
    expect(clients[1]?.writes).toHaveLength(2);
    clients.forEach((client) => client.end());
  });

  it('disconnects every follower and stops its timers when the API key changes', () => {
    const client = follow();
    settings.API_KEY = 'new';
    jest.advanceTimersByTime(1000);
    expect(client.writableEnded).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });
});
