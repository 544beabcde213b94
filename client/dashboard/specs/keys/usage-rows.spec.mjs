import { expect, it } from '@jest/globals';
import { UsageRows } from '../../assets/data/usage-rows.js';

const NOON = Date.parse('2026-05-31T12:00:00Z');
const MINUTE_MS = 60_000;

it('reads the present day alone, until another has begun, another range is wanted, or five minutes are over', async () => {
  let now = NOON;
  const asked = [];
  const rows = new UsageRows(
    (days) => {
      asked.push(days);
      const at = asked.length;
      const all = Array.from({ length: days }, (_, back) => ({
        day: new Date(now - back * 1440 * MINUTE_MS).toISOString().slice(0, 10),
        at,
      }));
      return Promise.resolve(all.reverse());
    },
    () => now,
  );
  const read = async (days) => (await rows.of(days)).map(({ day, at }) => `${day} ${at}`);
  expect(await read(2)).toEqual(['2026-05-30 1', '2026-05-31 1']);
  now += 10_000;
  expect(await read(2)).toEqual(['2026-05-30 1', '2026-05-31 2']);
  expect(await read(3)).toHaveLength(3);
  now += 4 * MINUTE_MS;
  await read(3);
  now += MINUTE_MS;
  await read(3);
  now = Date.parse('2026-06-01T00:00:01Z');
  await read(3);
  await read(3);
  expect(asked).toEqual([2, 1, 3, 1, 3, 3, 1]);
});

it('keeps what it has when a read fails', async () => {
  const asked = [];
  let isAway = false;
  const rows = new UsageRows(
    (days) => {
      asked.push(days);
      return isAway ? Promise.reject(new Error('away')) : Promise.resolve([{ day: '2026-05-30' }]);
    },
    () => NOON,
  );
  await rows.of(2);
  isAway = true;
  await expect(rows.of(2)).rejects.toThrow('away');
  isAway = false;
  await rows.of(2);
  expect(asked).toEqual([2, 1, 1]);
});
