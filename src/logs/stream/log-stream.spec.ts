import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Request, type Response } from 'express';
import { Subject } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { KeyRing } from '../../common/http/access/key-ring.js';
import { SystemClock } from '../../common/time/clock.js';
import { type LogJournal } from '../journal/log-journal.js';
import { LogStream } from './log-stream.js';

const HEARTBEAT = ': heartbeat\n\n';

/** A client that reads at once. */
class Client extends EventEmitter {
  readonly writes: string[] = [];
  readonly writableLength = 0;
  readonly destroyed = false;
  writableEnded = false;

  writeHead(): void {
    // The headers are covered by the end-to-end tests.
  }

  write(text: string): void {
    this.writes.push(text);
  }

  end(): void {
    this.writableEnded = true;
    this.emit('close');
  }
}

describe('LogStream', () => {
  let settings: Settings;
  let stream: LogStream;

  beforeEach(() => {
    jest.useFakeTimers();
    settings = Object.assign(new Settings(), { HEARTBEAT_INTERVAL_MS: 1000 });
    const journal = {
      allChanges$: new Subject(),
      position: 0,
      settle: () => undefined,
    } as unknown as LogJournal;
    stream = new LogStream(journal, settings, new SystemClock(), new KeyRing(settings));
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const follow = (): Client => {
    const client = new Client();
    const options = { kind: 'all', withTexts: false } as const;
    stream.follow({ method: 'GET' } as Request, client as unknown as Response, options);
    return client;
  };

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

  it('disconnects every follower and stops its timers when the API key changes', () => {
    const client = follow();
    settings.API_KEY = 'new';
    jest.advanceTimersByTime(1000);
    expect(client.writableEnded).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });
});
