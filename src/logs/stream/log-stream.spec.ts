import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Request, type Response } from 'express';
import { Subject } from 'rxjs';
import { Settings } from '../../common/config/settings.js';
import { SystemClock } from '../../common/time/clock.js';
import { type LogJournal } from '../journal/log-journal.js';
import { LogStream } from './log-stream.js';

const HEARTBEAT = ': heartbeat\n\n';

/** A caller that reads at once. */
class Reader extends EventEmitter {
  readonly writes: string[] = [];
  readonly writableLength = 0;
  readonly destroyed = false;
  writableEnded = false;

  writeHead(): void {
    // Its headers are not of interest here.
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
      changes$: new Subject(),
      position: 0,
      settle: () => undefined,
    } as unknown as LogJournal;
    stream = new LogStream(journal, settings, new SystemClock());
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const follow = (): Reader => {
    const reader = new Reader();
    const options = { kind: 'all', withTexts: false } as const;
    stream.follow({ method: 'GET' } as Request, reader as unknown as Response, options);
    return reader;
  };

  it('beats as often as the setting says, also after it has changed', () => {
    const reader = follow();
    jest.advanceTimersByTime(1000);
    expect(reader.writes).toEqual([HEARTBEAT, HEARTBEAT]);
    settings.HEARTBEAT_INTERVAL_MS = 100;
    jest.advanceTimersByTime(1000);
    reader.writes.length = 0;
    jest.advanceTimersByTime(1000);
    expect(reader.writes).toEqual(Array(10).fill(HEARTBEAT));
  });

  it('beats for nobody once the last reader has gone', () => {
    const [first, second] = [follow(), follow()];
    first.end();
    expect(jest.getTimerCount()).toBe(1);
    second.end();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends with nothing left to run when a new key counts', () => {
    const reader = follow();
    settings.API_KEY = 'new';
    jest.advanceTimersByTime(1000);
    expect(reader.writableEnded).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });
});
