import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { MemoryLogsService } from './memory-logs.service.js';

class ManualClock extends Clock {
  ms = 1000;

  now(): number {
    return 1_700_000_000_000 + this.ms;
  }

  monotonic(): number {
    return this.ms;
  }
}

describe('MemoryLogsService', () => {
  let clock: ManualClock;
  let logs: MemoryLogsService;

  beforeEach(() => {
    Logger.overrideLogger(false);
    clock = new ManualClock();
    logs = new MemoryLogsService(clock);
  });

  const request = (id: string): { id: string; method: string; path: string } => ({
    id,
    method: 'POST',
    path: '/v1/chat/completions',
  });

  it('shows a request from its beginning, as pending', () => {
    logs.open(request('a'));
    expect(logs.recent(10)).toEqual([
      { kind: 'request', ...request('a'), startedAt: 1_700_000_001_000, outcome: 'pending' },
    ]);
  });

  it('collects what becomes known, and closes the entry with its time', () => {
    const log = logs.open(request('a'));
    clock.ms += 40.4;
    expect(log.elapsedMs()).toBe(40);
    log.add({ model: 'svc-max', stream: true });
    clock.ms += 60;
    log.finish('ok', { status: 200, finishReason: 'stop' });
    expect(logs.recent(1)).toEqual([
      {
        kind: 'request',
        ...request('a'),
        startedAt: 1_700_000_001_000,
        outcome: 'ok',
        model: 'svc-max',
        stream: true,
        status: 200,
        finishReason: 'stop',
        totalMs: 100,
      },
    ]);
  });

  it('closes an entry once: what comes later changes nothing', () => {
    const log = logs.open(request('a'));
    log.finish('upstream_error', { status: 500 });
    const [entry] = logs.recent(1);
    clock.ms += 10;
    log.finish('ok', { status: 200 });
    log.add({ model: 'svc-max' });
    expect(logs.recent(1)).toEqual([entry]);
  });

  it('reports the newest first, as many as are asked for, in the order in which they began', () => {
    const first = logs.open(request('a'));
    logs.open(request('b'));
    logs.open(request('c'));
    first.finish('ok');
    expect(logs.recent(2).map(({ id }) => id)).toEqual(['c', 'b']);
    expect(logs.recent(10).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(logs.recent(0)).toEqual([]);
  });

  it('keeps the newest 1000, and every one that is pending', () => {
    const pending = logs.open(request('pending'));
    for (let index = 0; index < 1500; index++) {
      logs.open(request(`r${index}`)).finish('ok');
    }
    const ids = logs.recent(5000).map(({ id }) => id);
    expect(ids).toHaveLength(1000);
    expect([ids[0], ids[998], ids[999]]).toEqual(['r1499', 'r501', 'pending']);
    pending.finish('cancelled');
    expect(logs.recent(5000).at(-1)).toMatchObject({ id: 'pending', outcome: 'cancelled' });
  });
});
