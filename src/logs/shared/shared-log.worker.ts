import { workerData } from 'node:worker_threads';
import { serveCalls } from '../../common/threads/serve-calls.js';
import { SystemClock } from '../../common/time/clock.js';
import { type LogFilter } from '../records/log-filter.js';
import { type SeriesRange } from '../records/log-series.js';
import { type UsageQuery } from '../records/usage.js';
import { type ShippedMarks } from '../store/outbox.js';
import { type ChangesQuery } from '../store/record-search.js';
import { closeCrashed } from './crashed-nodes.js';
import { keepLimits, type SharedLimits } from './log-days.js';
import { OutgoingRecords } from './outgoing-records.js';
import { FEED_CHANNEL, RecordShipment } from './record-shipment.js';
import { SharedConnection } from './shared-connection.js';
import { SharedSearch } from './shared-search.js';
import { sharedSeries } from './shared-series.js';
import { selectSharedUsage } from './shared-usage.js';

// The thread of the shared log: what goes there and what comes from there blocks neither the event loop nor the file's
// writer.

/** Result of `ship`. */
export interface ShipReport {
  readonly marks: ShippedMarks;
  /** Number of records that can never be stored. */
  readonly rejected: number;
  /** Whether the outbox is empty now. */
  readonly isLast: boolean;
}

const { path, url, node } = workerData as {
  readonly path: string;
  readonly url: string;
  readonly node: string;
};
const connection = new SharedConnection(url);
const outgoing = new OutgoingRecords(path);
const shipment = new RecordShipment(connection, node);
const search = new SharedSearch(connection, new SystemClock());
let isListening = false;
/** Ends the present wait for news. */
let wake: () => void = () => undefined;

serveCalls({
  async ship({ firstDay }: { firstDay: number }): Promise<ShipReport> {
    const batch = outgoing.read(firstDay);
    const { last, usage, isLast } = batch;
    const isEmpty = last === 0 && usage.numbers.length === 0;
    return {
      marks: { last, usage: usage.numbers },
      rejected: isEmpty ? 0 : await shipment.send(batch),
      isLast: isLast && usage.isLast,
    };
  },

  beat: () => closeCrashed(connection, node),
  keepLimits: (limits: SharedLimits) => keepLimits(connection, limits),
  page: ({ filter, withTexts }: { filter: LogFilter; withTexts: boolean }) => search.page(filter, withTexts),
  find: (id: string) => search.find(id),
  changes: (query: ChangesQuery) => search.changes(query, node),
  series: (range: SeriesRange) => sharedSeries(connection, range),
  usage: (query: UsageQuery) => selectSharedUsage(connection, query),
  position: () => search.position(),

  /** Changes of other nodes after a position; waits for the next announcement, up to a limit, if there are none. */
  async follow({ after, limit, waitMs }: { after: number; limit: number; waitMs: number }) {
    await listen();
    const news = announced(waitMs);
    const found = await search.follow(after, node, limit);
    if (found.position > after) {
      wake();
      return found;
    }
    await news;
    return search.follow(after, node, limit);
  },
});

/** Without announcements, the limit of a wait is what brings news. */
async function listen(): Promise<void> {
  if (isListening) {
    return;
  }
  isListening = true;
  const onEnd = (): void => {
    isListening = false;
  };
  await connection.listen(FEED_CHANNEL, () => wake(), onEnd).catch(onEnd);
}

function announced(waitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  wake = () => {
    clearTimeout(timer);
    resolve();
  };
  return promise;
}
