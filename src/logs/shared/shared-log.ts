import { type Observable } from 'rxjs';
import { type Settings } from '../../common/config/settings.js';
import { InternalError } from '../../common/errors/gateway.errors.js';
import { Outage } from '../../common/logging/outage.js';
import { type SharedOutage } from '../../common/logging/shared-outage.js';
import { WorkerClient } from '../../common/threads/worker-client.js';
import { type Clock } from '../../common/time/clock.js';
import { type Breakdown } from '../records/breakdown.js';
import { type LogFilter } from '../records/log-filter.js';
import { type LogSeries, type SeriesRange } from '../records/log-series.js';
import { type UsageQuery, type UsageRow } from '../records/usage.js';
import { type LogReader, type ReadChange, type StoredRequest, type TextPage } from '../store/log-reader.js';
import { type LogStore, type UnshippedPage } from '../store/log-store.js';
import { type ChangesQuery, type FoundPage } from '../store/record-search.js';
import { toPage } from '../store/unsaved-records.js';
import { type SharedLimits } from './log-days.js';
import { LogShipper } from './log-shipper.js';
import { OtherNodes } from './other-nodes.js';
import { type OtherRecord, type SharedRecord, withNode } from './shared-search.js';

/** A read may be of several statements, each of which ends by itself. */
const READ_LIMIT_MS = 15_000;
const CATCH_UP_LIMIT_MS = 500;
const CLOSE_LIMIT_MS = 2000;
/** Until the next try to open the file. */
const RETRY_MS = 1000;

export interface SharedLogOptions {
  readonly store: LogStore;
  /** `DATABASE_URL`. */
  readonly url: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly warn: (details: object, message: string) => void;
  /** See `LogShipper`. */
  readonly outage?: SharedOutage | undefined;
}

interface Started {
  readonly node: string;
  readonly worker: WorkerClient;
  readonly shipper: LogShipper;
}

/**
 * The log of all gateways on one database. Each keeps its own file, from which records are shipped; reads merge what has
 * been shipped with what has not. While the database cannot be read, reads return this gateway's file alone.
 */
export class SharedLog implements LogReader {
  /** Changes of other gateways' records; looked for only while somebody subscribes. */
  readonly others$: Observable<OtherRecord>;
  private readonly others: OtherNodes;
  private readonly outage: Outage;
  private started: Started | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly options: SharedLogOptions) {
    this.others = new OtherNodes(() => this.started?.worker);
    this.others$ = this.others.changes$;
    const { warn } = options;
    const begun = (error: unknown) =>
      warn(
        { event: 'log_shared_unreadable', detail: (error as Error).message },
        'the shared log cannot be read; what is shown is of this gateway alone',
      );
    const over = () => warn({ event: 'log_shared_readable' }, 'the shared log can be read again');
    this.outage = new Outage({ begun, over }, { shared: options.outage, triesOn: false, isPatchy: true });
  }

  /** Cursor of the latest change that was sent to followers; undefined while nobody follows. */
  get cursor(): number | undefined {
    return this.others.position;
  }

  /** See `LogShipper.lagMs`; undefined until it ships. */
  get lagMs(): number | undefined {
    return this.started?.shipper.lagMs;
  }

  /** Whether records cannot be shipped although the database answers, e.g. because its disk is full. */
  get hasFailed(): boolean {
    return this.started?.shipper.hasFailed === true && this.options.outage?.isOngoing !== true;
  }

  /** Somebody has begun to follow the log at one of the gateways. */
  followed(): void {
    this.started?.shipper.followed();
  }

  /** Begins to ship as soon as the file is open. */
  start(): void {
    const { store } = this.options;
    if (this.isClosed) {
      return;
    }
    if (store.name === undefined) {
      this.timer = setTimeout(() => void store.open().then(() => this.start()), RETRY_MS).unref();
    } else {
      this.begin(store.name);
    }
  }

  async page(filter: LogFilter): Promise<TextPage> {
    const { store } = this.options;
    const { started } = this;
    if (started === undefined) {
      return store.page(filter);
    }
    const isOwnWanted = (filter.node ?? started.node) === started.node;
    const ownFilter = withoutNode(filter);
    // Read first: records shipped meanwhile are found in both, and counted once.
    const own = isOwnWanted ? await this.unshipped(started, ownFilter) : undefined;
    const shared = await this.read<FoundPage<SharedRecord>>('page', filter);
    if (shared === undefined) {
      return isOwnWanted ? this.ownPage(ownFilter, started.node) : { texts: [], next: null };
    }
    return merged(filter, shared, own, started.node);
  }

  /** @throws InternalError `database_away` for what only another gateway's records could tell */
  async find(id: string): Promise<StoredRequest | undefined> {
    const own = await this.options.store.find(id);
    const { node = '' } = this.started ?? {};
    if (own) {
      return { entry: withNode(own.entry, node), network: own.network.map((text) => withNode(text, node)) };
    }
    const read = await this.tryRead<StoredRequest | undefined>('find', id);
    if (read === undefined) {
      throw new InternalError(
        'database_away',
        'this gateway has not logged this request, and the logs of the others cannot be read at present.',
      );
    }
    return read.result;
  }

  async changes(query: ChangesQuery): Promise<readonly ReadChange[]> {
    await this.catchUp();
    return (await this.read<readonly ReadChange[]>('changes', query)) ?? [];
  }

  async series(range: SeriesRange): Promise<LogSeries> {
    await this.catchUp();
    return (await this.read<LogSeries>('series', range)) ?? this.options.store.series(range);
  }

  /** Recordings are kept in the file of each gateway. */
  recording(id: string): Promise<string | undefined> {
    return this.options.store.recording(id);
  }

  async usage(query: UsageQuery): Promise<readonly UsageRow[]> {
    await this.catchUp();
    return (await this.read<readonly UsageRow[]>('usage', query)) ?? this.options.store.usage(query);
  }

  /** Figures of this gateway's own completions. */
  breakdown(range: { readonly fromMs: number; readonly toMs: number }): Promise<Breakdown> {
    return this.options.store.breakdown(range);
  }

  /** Ships the remaining records within 2 s; others are shipped at the next start. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.others.close();
    await this.options.store.flush();
    await this.started?.shipper.close(CLOSE_LIMIT_MS);
    await this.started?.worker.end();
  }

  private begin(node: string): void {
    const { store, url, settings, clock, warn, outage } = this.options;
    const workerData = { url, node };
    const worker = new WorkerClient(new URL('./shared-log.worker', import.meta.url), workerData);
    const limits = (): SharedLimits => ({
      maxBytes: settings.LOG_MAX_BYTES,
      keepDays: settings.LOG_RETENTION_DAYS,
    });
    const shipper = new LogShipper({ store, worker, clock, limits, warn, outage });
    this.started = { node, worker, shipper };
    shipper.start();
  }

  /** Ships what there is, within 500 ms. */
  private async catchUp(): Promise<void> {
    await this.options.store.flush();
    await this.started?.shipper.catchUp(CATCH_UP_LIMIT_MS);
  }

  /** What was shipped is not among it, since it may have been deleted there. */
  private async unshipped({ shipper }: Started, filter: LogFilter): Promise<UnshippedPage> {
    await shipper.note();
    return this.options.store.unshipped(filter);
  }

  private async ownPage(filter: LogFilter, node: string): Promise<TextPage> {
    const { texts, next } = await this.options.store.page(filter);
    return { texts: texts.map((text) => withNode(text, node)), next };
  }

  /** Undefined if the shared log cannot be read. */
  private async read<Result>(name: string, argument: unknown): Promise<Result | undefined> {
    return (await this.tryRead<Result>(name, argument))?.result;
  }

  /** The same where nothing may be the result. Nobody waits for a database that does not answer others. */
  private async tryRead<Result>(name: string, argument: unknown): Promise<{ result: Result } | undefined> {
    const { started } = this;
    if (started === undefined || started.shipper.hasFailed || this.options.outage?.isOngoing) {
      return undefined;
    }
    try {
      const result = await started.worker.callOrLeave<Result>(READ_LIMIT_MS, name, argument);
      this.outage.succeeded();
      return { result };
    } catch (error) {
      this.outage.failed(error);
      return undefined;
    }
  }
}

/** The conditions for this gateway's own file, in which no node is named. */
function withoutNode(filter: LogFilter): LogFilter {
  return { ...filter, node: undefined };
}

/**
 * One page out of what was shipped and what was not. Records of one number stand in the order of their nodes, so that
 * they keep their places once they are shipped.
 */
function merged(
  filter: LogFilter,
  shared: FoundPage<SharedRecord>,
  own: UnshippedPage | undefined,
  node: string,
): TextPage {
  const reached = Math.max(shared.reached, own?.reached ?? 0);
  const records = [
    ...shared.records.filter((record) => record.node !== node || !own?.seqs.has(record.seq)),
    ...(own?.records ?? []).map(({ text, ...record }) => ({ ...record, node, text: withNode(text, node) })),
  ].filter(({ seq }) => seq >= reached);
  const byNode = records.toSorted((a, b) => (a.node < b.node ? -1 : Number(a.node > b.node)));
  return toPage(byNode, reached, filter);
}
