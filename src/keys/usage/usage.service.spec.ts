import { expect, it, jest } from '@jest/globals';
import { SystemClock } from '../../common/time/clock.js';
import { type LogsService } from '../../logs/logs.service.js';
import { type UsageRow } from '../../logs/records/usage.js';
import { type KeyLimiters } from '../limits/key-limiters.js';
import { UsageService } from './usage.service.js';

it('tells at the start what this gateway has used today', async () => {
  const row = (key: string, promptTokens: number) => ({ key, promptTokens, completionTokens: 1 }) as UsageRow;
  const ownUsage = jest.fn<LogsService['ownUsage']>();
  ownUsage.mockResolvedValue([row('ann', 10), row('bob', 20), row('ann', 30)]);
  const takeUsedToday = jest.fn<KeyLimiters['takeUsedToday']>();
  const service = new UsageService(
    { ownUsage, node: 'node-1' } as unknown as LogsService,
    { takeUsedToday } as unknown as KeyLimiters,
    new SystemClock(),
  );
  await service.onApplicationBootstrap();
  const used = new Map([
    ['ann', 42],
    ['bob', 21],
  ]);
  expect(takeUsedToday.mock.calls).toEqual([[used, 'node-1']]);
});
