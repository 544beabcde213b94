import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { eventually, PATIENCE_MS } from '../../../test/support/watch/eventually.js';
import { SharedChanges } from '../../cluster/shared-changes.js';
import { Settings } from '../../common/config/settings.js';
import { SystemClock } from '../../common/time/clock.js';
import { PgResponseStore } from './pg-response-store.js';
import { type PgResponseTable } from './pg-response-table.js';
import { type ResponseRecord } from './response-record.js';

const ended: ResponseRecord = {
  id: 'resp_1',
  owner: '',
  createdAt: 0,
  previous: null,
  status: 'completed',
  body: '{}',
  input: '[]',
  events: null,
};

it('stores responses while old ones are deleted, once at a time, until its end', async () => {
  const deletions = Array.from({ length: 3 }, () => Promise.withResolvers<number>());
  const dropOld = jest.fn<PgResponseTable['dropOld']>();
  deletions.forEach(({ promise }) => dropOld.mockReturnValueOnce(promise));
  const end = jest.fn<PgResponseTable['end']>().mockResolvedValue();
  const table = { dropOld, end, close: () => Promise.resolve() } as unknown as PgResponseTable;
  const settings = Object.assign(new Settings(), { RESPONSE_MAX_BYTES: 1 });
  const changes = new SharedChanges(undefined, () => 0);
  const store = new PgResponseStore(settings, new SystemClock(), { table, changes, nodeLeaseMs: 3000 });
  await store.put(ended);
  await store.put({ ...ended, id: 'resp_2' });
  await eventually(PATIENCE_MS, () => expect(end).toHaveBeenCalledTimes(2));
  expect(dropOld).toHaveBeenCalledTimes(1);
  settings.RESPONSE_MAX_BYTES = 10;
  deletions[0]!.resolve(1);
  await eventually(PATIENCE_MS, () => expect(dropOld).toHaveBeenCalledTimes(2));
  expect(dropOld.mock.lastCall).toMatchObject([{ maxBytes: 10 }]);
  await store.onApplicationShutdown();
  deletions[1]!.resolve(1);
  await new Promise(setImmediate);
  expect(dropOld).toHaveBeenCalledTimes(2);
});

it('says at its end what it could not store', async () => {
  const told = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  const table = {
    end: () => Promise.reject(new Error('away')),
    close: () => Promise.resolve(),
  } as unknown as PgResponseTable;
  const changes = new SharedChanges(undefined, () => 0);
  const store = new PgResponseStore(new Settings(), new SystemClock(), { table, changes, nodeLeaseMs: 3000 });
  await store.put(ended);
  await store.put({ ...ended, id: 'resp_2' });
  await store.onApplicationShutdown();
  expect(told).toHaveBeenLastCalledWith('2 responses are not stored: the gateway ends');
  told.mockRestore();
});
