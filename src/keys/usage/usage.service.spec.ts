import { expect, it, jest } from '@jest/globals';
import { SystemClock } from '../../common/time/clock.js';
import { type LogsService } from '../../logs/logs.service.js';
import { type KeyLimiters } from '../limits/key-limiters.js';
import { UsageService } from './usage.service.js';

it.each([
  [false, 1],
  [true, 0],
])('reads what was used today at the start only where no parts hold it (%p)', async (areDivided, reads) => {
  const usage = jest.fn<LogsService['usage']>().mockResolvedValue([]);
  const limiters = { areDivided, takeUsedToday: jest.fn() };
  const service = new UsageService(
    { usage } as unknown as LogsService,
    limiters as unknown as KeyLimiters,
    new SystemClock(),
  );
  await service.onApplicationBootstrap();
  expect([usage.mock.calls.length, limiters.takeUsedToday.mock.calls.length]).toEqual([reads, reads]);
});
