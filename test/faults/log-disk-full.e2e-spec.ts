import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LogsService } from '../../src/logs/logs.service.js';
import { ms, report } from '../support/gateway/fault-rig.js';
import { LogClient } from '../support/gateway/log-client.js';
import { ASK, StubGateway } from '../support/gateway/stub-gateway.js';
import { answer } from '../support/upstream/openai-stub-plans.js';
import { eventually, PATIENCE_MS } from '../support/watch/eventually.js';
import { processPace } from '../support/watch/machine-pace.js';
import { SmallDisk, whyNoSmallDisk } from '../support/watch/small-disk.js';

const whyNot = whyNoSmallDisk();
const LARGE = 2 ** 20;

(whyNot === undefined ? describe : describe.skip)(
  `the log on a full disk${whyNot ? ` (${whyNot})` : ''}`,
  () => {
    let disk: SmallDisk;
    let gateway: StubGateway;
    let logs: LogsService;
    /** Ids of all records that were announced. */
    let ids: Set<string>;

    beforeEach(async () => {
      disk = new SmallDisk(6 * 2 ** 20);
      gateway = await StubGateway.start({
        DATA_DIR: disk.folder,
        LOG_CONTENT: 'full',
        // Small enough that large texts are left out, large enough for the rest without deletions.
        LOG_MAX_BYTES: 2 ** 19,
      });
      gateway.stub.answerWith(answer({ pieces: ['well'] }));
      ids = new Set();
      logs = gateway.logs;
      logs.changes$.subscribe(({ record }) => ids.add(record.id));
    });
    afterEach(async () => {
      await gateway.close();
      disk.remove();
    });

    /** Asks once. Returns the milliseconds until the end of the answer. */
    const ask = async (content: string): Promise<number> => {
      const began = performance.now();
      const { status, text } = await gateway.complete({ ...ASK, messages: [{ role: 'user', content }] });
      expect([status, text.endsWith('data: [DONE]\n\n')]).toEqual([200, true]);
      return performance.now() - began;
    };
    /** Waits until every record is either stored or counted. */
    const settled = (): Promise<void> =>
      eventually(PATIENCE_MS, async () => {
        await logs.series({ fromMs: 0, toMs: 1, bucketMs: 1 });
        const { entries, dropped } = logs.stats();
        expect(entries + dropped).toBe(ids.size);
      });

    it('F21: delays and fails no answer, loses what does not fit by count, and recovers', async () => {
      const content = 'x'.repeat(LARGE);
      const before: number[] = [];
      const during: number[] = [];
      for (let asked = 0; asked < 10; asked++) {
        before.push(await ask(content));
      }
      await settled();
      expect(logs.stats()).toMatchObject({ dropped: 0, isHealthy: true });

      disk.fill();
      // Enough to overflow the queue of records that wait for the disk.
      for (let asked = 0; asked < 50; asked++) {
        during.push(await ask(content));
      }
      // The thread that writes may lag behind.
      await eventually(PATIENCE_MS, async () => {
        during.push(await ask(content));
        const { isHealthy, dropped } = logs.stats();
        expect([isHealthy, dropped > 0]).toEqual([false, true]);
      });
      // The log can be read meanwhile, the newest entries included.
      const log = new LogClient(gateway.origin);
      expect((await log.page('?limit=1')).entries).toEqual([gateway.lastEntry]);
      const reader = await log.follow('?after=0&kind=request');
      await eventually(PATIENCE_MS, () => expect(reader.events.at(-1)?.record).toEqual(gateway.lastEntry));
      await reader.stop();

      disk.empty();
      const freedAt = performance.now();
      await eventually(PATIENCE_MS, () => expect(logs.stats().isHealthy).toBe(true));
      const recoveredMs = performance.now() - freedAt;
      await processPace.expectWithin(recoveredMs, 5000);
      await settled();
      const { dropped } = logs.stats();
      await ask('small');
      await settled();
      expect(logs.stats()).toMatchObject({ dropped, isHealthy: true });
      const { entries } = await log.page('?limit=200');
      expect(entries.length).toBeGreaterThan(10);
      expect(entries).not.toContainEqual(expect.objectContaining({ outcome: 'pending' }));
      report(
        'F21',
        `answers took ${ms(median(before))} before and ${ms(median(during))} meanwhile`,
        `${dropped} of ${ids.size} records lost`,
        `recovered after ${ms(recoveredMs)}`,
      );
    });
  },
);

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
