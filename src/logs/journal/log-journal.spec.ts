import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { entry } from '../../../test/support/gateway/log-records.js';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { Settings } from '../../common/config/settings.js';
import { SystemClock } from '../../common/time/clock.js';
import { LogJournal } from './log-journal.js';

const DAY_MS = 86_400_000;
const MONDAY = Date.UTC(2026, 10, 23);

describe('LogJournal', () => {
  let folder: string;
  const warn = jest.fn<(details: unknown, message: string) => void>();

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
    warn.mockClear();
    Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn });
  });
  afterEach(async () => {
    Logger.overrideLogger(false);
    await rm(folder, { recursive: true });
  });

  /** A run of the gateway that logs a request. */
  async function run(now: number): Promise<void> {
    const clock = Object.assign(new SystemClock(), { now: () => now });
    const journal = new LogJournal(Object.assign(new Settings(), { DATA_DIR: folder }), clock);
    await journal.onModuleInit();
    journal.begin(entry('a', { startedAt: now }), 'full').end();
    await journal.onApplicationShutdown();
  }

  it('says at the start that its latest record is ahead of the clock', async () => {
    await run(MONDAY + 2 * DAY_MS);
    expect(warn.mock.calls).toEqual([]);
    // The start waits two seconds for the file, and goes on without its latest record.
    await eventually(PATIENCE_MS, async () => {
      await run(MONDAY);
      expect(warn.mock.calls.map(([details]) => details)).toEqual([
        { event: 'log_ahead', latest: expect.stringMatching(/^2026-11-25T00:00/) },
      ]);
    });
  });

  it('is not healthy while the shared log cannot be written', () => {
    const journal = new LogJournal(Object.assign(new Settings(), { DATA_DIR: folder }), new SystemClock());
    const shared = { hasFailed: true };
    Object.assign(journal, { shared });
    expect(journal.stats().isHealthy).toBe(false);
    shared.hasFailed = false;
    expect(journal.stats().isHealthy).toBe(true);
  });

  it('says nothing of a clock that was set back a little', async () => {
    await run(MONDAY + DAY_MS / 2);
    await run(MONDAY);
    expect(warn.mock.calls).toEqual([]);
  });
});
