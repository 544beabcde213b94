import { Outage } from '../../common/logging/outage.js';
import { type SharedOutage } from '../../common/logging/shared-outage.js';
import { type WorkerClient } from '../../common/threads/worker-client.js';
import { type Clock } from '../../common/time/clock.js';
import { DAY_MS } from '../../common/time/durations.js';
import { settledWithin } from '../../common/time/settled-within.js';
import { type ShippedMarks } from '../outbox/outbox.js';
import { blocksOf } from '../outbox/outgoing-records.js';
import { logDayOf } from '../records/log-day.js';
import { type LogStore } from '../store/log-store.js';
import { type SharedLimits } from './log-days.js';
import { type ShipmentReport } from './record-shipment.js';

/**
 * From the first record that is written to the file to its shipment, together with what is written meanwhile: while
 * somebody follows the log at any node, and while nobody does.
 */
const FOLLOWED_WINDOW_MS = 150;
const UNSEEN_WINDOW_MS = 1000;
/** So much does not wait: it would not stay in the memory of the file's thread, which is four times as much. */
const FULL_CHARACTERS = 2 ** 20;
/** Period of the maintenance; records that were never announced are shipped with it. */
const BEAT_EVERY_MS = 5000;
/** Period of enforcing the limits; each node has a moment of its own in it, so that they do not try together. */
const LIMITS_EVERY_MS = 60_000;
const PAUSE_AFTER_FAILURE_MS = 1000;
/** Above the time limits of the statements in it; a thread that takes longer is replaced. */
const CALL_LIMIT_MS = 60_000;
const DATA_FOLDER_COPIED =
  "another gateway runs with a copy of this DATA_DIR, and each overwrites the other's usage: start one with an empty folder";

export interface ShipperOptions {
  readonly store: LogStore;
  readonly worker: WorkerClient;
  readonly clock: Clock;
  /** `LOG_MAX_BYTES` and `LOG_RETENTION_DAYS`, which may change. */
  readonly limits: () => SharedLimits;
  readonly warn: (details: object, message: string) => void;
  /** Outage of the database, which other parts of the gateway use, too. */
  readonly outage?: SharedOutage | undefined;
}

/** Has the records of the file shipped to the shared log, one batch after the other, and does its maintenance. */
export class LogShipper {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isResting = false;
  /** Whether the timer runs; neither during a round nor while one is about to begin. */
  private isPaused = false;
  /** Written to the file since the latest read. */
  private waitingCharacters = 0;
  private isFollowed = true;
  /** Monotonic time since which the file holds unshipped records; unknown for those of an earlier process. */
  private behindSince: number | undefined;
  /** Likewise of what the latest read may have missed. */
  private missedSince: number | undefined;
  /** Acknowledgements for the file, sent with the next read: each message to its thread costs as much as some records. */
  private shipped: ShippedMarks | undefined;
  private beatAt = 0;
  private limitsAt: number;
  /** Whether the latest try to keep the limits worked. */
  private areLimitsKept = true;
  /** Whether another process writes under the name of the file. */
  private isCopied = false;
  private readonly outage: Outage;
  private readonly maintenanceOutage: Outage;
  private isClosed = false;

  constructor(private readonly options: ShipperOptions) {
    const { warn } = options;
    this.limitsAt = options.clock.monotonic() + LIMITS_EVERY_MS;
    const begun = (error: unknown) =>
      warn(
        { event: 'log_shared_failing', detail: (error as Error).message },
        'the shared log cannot be written; records wait in the file',
      );
    const over = () => warn({ event: 'log_shared_back' }, 'the shared log is written again');
    this.outage = new Outage({ begun, over }, { shared: options.outage });
    const neglected = (error: unknown) =>
      warn(
        { event: 'log_upkeep_failing', detail: (error as Error).message },
        'the shared log cannot be kept within its limits, or records of dead nodes not be closed',
      );
    const kept = () => warn({ event: 'log_upkeep_back' }, 'the maintenance of the shared log works again');
    // Of a large log it may fail alone, always by its time limit: then it tells of itself, not of an outage for all.
    this.maintenanceOutage = new Outage(
      { begun: neglected, over: kept },
      { shared: options.outage, triesOn: false },
    );
  }

  /** Whether the latest try to ship failed. */
  get hasFailed(): boolean {
    return this.outage.isOngoing;
  }

  /** Milliseconds for which the file has held something that is not shipped; 0 if everything is. */
  get lagMs(): number {
    return this.behindSince === undefined ? 0 : this.options.clock.monotonic() - this.behindSince;
  }

  start(): void {
    this.options.store.onWritten((characters) => this.written(characters));
    this.written(0);
    this.next(0);
  }

  /** A follower has come, as far as is known: ships now, and often until a batch finds no follower. */
  followed(): void {
    this.isFollowed = true;
    void this.catchUp(0);
  }

  /** Ships a batch at once, unless it takes too long. Never rejects. */
  async catchUp(limitMs: number): Promise<void> {
    if (this.isClosed || this.outage.isOngoing) {
      return;
    }
    this.endPause();
    // The present round may have begun before the latest records were in the file.
    this.running = this.running.then(() => this.round());
    await settledWithin(limitMs, this.running);
  }

  /** Ships the records in the file, within the time limit. Never rejects. */
  async close(limitMs: number): Promise<void> {
    this.isClosed = true;
    this.endPause();
    const deadline = this.options.clock.monotonic() + limitMs;
    await settledWithin(limitMs, this.running);
    let isLast = this.outage.isOngoing;
    while (!isLast && this.options.clock.monotonic() < deadline) {
      isLast = await this.ship(deadline - this.options.clock.monotonic()).catch(() => true);
    }
    await this.note();
  }

  /** Acknowledges shipped records to the file, which drops them. Never rejects. */
  async note(): Promise<void> {
    const { shipped } = this;
    if (shipped) {
      this.shipped = undefined;
      await this.options.store.noteShipped(shipped);
    }
  }

  private get windowMs(): number {
    return this.isFollowed ? FOLLOWED_WINDOW_MS : UNSEEN_WINDOW_MS;
  }

  private written(characters: number): void {
    this.missedSince ??= this.options.clock.monotonic();
    this.behindSince ??= this.missedSince;
    this.waitingCharacters += characters;
    if (this.isPaused && this.waitingCharacters >= FULL_CHARACTERS && !this.outage.isOngoing) {
      this.next(0);
    } else if (this.isResting) {
      this.isResting = false;
      this.next(this.windowMs);
    }
  }

  /** Waits for the next record, or for the maintenance. */
  private rest(): void {
    this.isResting = this.behindSince === undefined;
    this.next(this.isResting ? Math.max(0, this.beatAt - this.options.clock.monotonic()) : this.windowMs);
  }

  private next(pauseMs: number): void {
    this.endPause();
    if (!this.isClosed) {
      this.isPaused = true;
      this.timer = setTimeout(() => {
        this.running = this.round();
      }, pauseMs).unref();
    }
  }

  private endPause(): void {
    this.isPaused = false;
    clearTimeout(this.timer);
  }

  private async round(): Promise<void> {
    this.isResting = false;
    this.endPause();
    await this.maintain();
    try {
      const isLast = await this.ship(CALL_LIMIT_MS);
      if (isLast) {
        this.rest();
      } else {
        this.next(0);
      }
    } catch (error) {
      this.outage.failed(error);
      this.next(PAUSE_AFTER_FAILURE_MS);
    }
  }

  /** Never rejects: shipping goes on. Failed work is retried in the next run. */
  private async maintain(): Promise<void> {
    const { worker, clock } = this.options;
    const now = clock.monotonic();
    if (now < this.beatAt) {
      return;
    }
    this.beatAt = now + BEAT_EVERY_MS;
    try {
      this.noteCopy(await worker.callWithin<boolean>(CALL_LIMIT_MS, 'beat'));
      if (now >= this.limitsAt) {
        // The first failure is tried again with the next beat; further ones are not, since shipping waits meanwhile.
        this.limitsAt = this.areLimitsKept ? now : now + LIMITS_EVERY_MS;
        this.areLimitsKept = false;
        await worker.callWithin(CALL_LIMIT_MS, 'keepLimits', this.options.limits());
        this.areLimitsKept = true;
        this.limitsAt = now + LIMITS_EVERY_MS;
      }
      if (this.areLimitsKept) {
        this.maintenanceOutage.succeeded();
      }
    } catch (error) {
      this.maintenanceOutage.failed(error);
    }
  }

  private noteCopy(isCopied: boolean): void {
    if (isCopied && !this.isCopied) {
      this.options.warn({ event: 'data_folder_copied' }, DATA_FOLDER_COPIED);
    }
    this.isCopied = isCopied;
  }

  /** @returns whether nothing more can be shipped for now */
  private async ship(limitMs: number): Promise<boolean> {
    const { store, worker, warn } = this.options;
    this.missedSince = undefined;
    this.waitingCharacters = 0;
    const batch = await store.outgoing(this.firstDay(), this.shipped);
    if (batch === undefined) {
      return true;
    }
    this.shipped = undefined;
    const { last, usage } = batch;
    if (last > 0 || usage.numbers.length > 0) {
      const report = await worker.callWithin<ShipmentReport>(limitMs, 'ship', batch, blocksOf(batch));
      const { rejected } = report;
      this.isFollowed = report.isFollowed;
      if (rejected > 0) {
        warn({ event: 'log_not_shipped', records: rejected }, 'the shared log does not take these records');
      }
      this.shipped = { last, usage: usage.numbers };
    }
    this.outage.succeeded();
    const isLast = batch.isLast && usage.isLast;
    if (isLast) {
      this.behindSince = this.missedSince;
    }
    return isLast;
  }

  /** By the own clock, which has numbered the records of the file. */
  private firstDay(): number {
    return logDayOf((this.options.clock.now() - this.options.limits().keepDays * DAY_MS) * 1000);
  }
}
