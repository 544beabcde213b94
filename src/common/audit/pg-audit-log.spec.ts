import { expect, it, jest } from '@jest/globals';
import { type PgDatabase } from '../store/pg-database.js';
import { SystemClock } from '../time/clock.js';
import { PgAuditLog } from './pg-audit-log.js';

it('is listed for a page, which waits for no database that is known to be away', async () => {
  const look = jest.fn<PgDatabase['look']>().mockResolvedValue([]);
  const audit = new PgAuditLog({ look } as unknown as PgDatabase, new SystemClock());
  expect(await audit.list(20, 7)).toEqual([]);
  expect(look.mock.calls).toEqual([[expect.stringContaining('FROM audit'), [7, 20], 2000]]);
});
