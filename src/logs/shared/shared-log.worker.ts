import { workerData } from 'node:worker_threads';
import { serveCalls } from '../../common/threads/serve-calls.js';
import { SystemClock } from '../../common/time/clock.js';
import { blocksOf, type Outgoing } from '../outbox/outgoing-records.js';
import { type LogFilter } from '../records/log-filter.js';
import { type SeriesRange } from '../records/log-series.js';
import { type UsageQuery } from '../records/usage.js';
import { type ChangesQuery } from '../store/record-search.js';
import { closeCrashed } from './crashed-nodes.js';
import { FeedListener } from './feed-listener.js';
import { keepLimits, type SharedLimits } from './log-days.js';
import { RecordShipment, type ShipmentReport } from './record-shipment.js';
import { settleRestored } from './restored-feed.js';
import { SharedConnection } from './shared-connection.js';
import { SharedSearch } from './shared-search.js';
import { sharedSeries } from './shared-series.js';
import { selectSharedUsage } from './shared-usage.js';

// The thread of the shared log: what goes there and what comes from there blocks neither the event loop nor the file's
// writer.

const { url, node } = workerData as { readonly url: string; readonly node: string };
/** A third page that is read at once (see `LogReadLimiter`) waits for a connection. */
const READERS = 2;
const readers = new SharedConnection(url, READERS);
/** Never waits for those who read. */
const writer = new SharedConnection(url);
const shipment = new RecordShipment(writer, node);
const clock = new SystemClock();
const search = new SharedSearch(readers, clock);
const listener = new FeedListener(readers);
let notedAt: string | undefined;

serveCalls({
  async ship(batch: Outgoing): Promise<ShipmentReport> {
    const report = await shipment.send(batch);
    // Moved here, and of no use any more. The engine would count it until it collects, and collect all of its heap for it.
    blocksOf(batch).forEach((block) => block.transfer(0));
    return report;
  },
  /** @returns whether another process writes under the name of this one's file, as with a copy of it */
  async beat(): Promise<boolean> {
    const before = notedAt;
    // What fails may have been noted all the same.
    notedAt = undefined;
    const note = await closeCrashed(writer, node, before);
    notedAt = note.notedAt;
    return note.isOthersToo;
  },
  async keepLimits(limits: SharedLimits): Promise<void> {
    await keepLimits(writer, limits);
    await settleRestored(writer, clock);
  },
  page: (filter: LogFilter) => search.page(filter),
  find: (id: string) => search.find(id),
  changes: (query: ChangesQuery) => search.changes(query, node),
  series: (range: SeriesRange) => sharedSeries(readers, range),
  usage: (query: UsageQuery) => selectSharedUsage(readers, query),
  position: () => search.position(),

  /** Changes of other nodes after a position; waits for the next announcement, up to a limit, if there are none. */
  async follow({ after, limit, waitMs }: { after: number; limit: number; waitMs: number }) {
    await listener.open();
    const news = listener.announced(waitMs);
    const found = await search.follow(after, node, limit);
    if (found.position > after) {
      listener.endWait();
      return found;
    }
    await news;
    return search.follow(after, node, limit);
  },
});
