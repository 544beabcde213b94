import { setTimeout as pause } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Observable, Subject } from 'rxjs';
import { type SharedChanges } from '../../cluster/shared-changes.js';
import { type Settings } from '../../common/config/settings.js';
import { Outage } from '../../common/logging/outage.js';
import { isDatabaseLost } from '../../common/store/database-away.js';
import { type Clock } from '../../common/time/clock.js';
import { isUnderWay } from '../interfaces/response-object.js';
import { LateWriter } from './late-writer.js';
import { type PgResponseTable } from './pg-response-table.js';
import {
  bytesOf,
  type ChainKey,
  type ConversationStep,
  type ResponseKey,
  type ResponseRecord,
  type StoredText,
  type TextKey,
} from './response-record.js';
import { cannotBeUsed, ResponseStore, TIDY_EVERY_MS } from './response-store.js';

/** A response is stored after its caller has it, who may refer to it on another gateway at once: so it is looked for again. */
const LOOK_AGAIN_MS = [50, 100, 200, 400, 800];
/** Longest time, while responses are stored, and largest share of the room after which what exceeds the limits is looked for. */
const TIDY_AFTER_MS = 10_000;
const TIDY_SHARE = 1 / 20;
/** Renewals of a response under way, per lease. */
const RENEWALS_PER_LEASE = 5;
/** Classes of SQLSTATE that say that a row cannot be stored, not that the server cannot: data, constraints, limits. */
const REFUSALS = /^(22|23|54)/;

/** Collaborators of the shared store. */
export interface SharedResponses {
  readonly table: PgResponseTable;
  readonly changes: SharedChanges;
  /** Lease, in milliseconds: time for which a silent node counts as alive. */
  readonly nodeLeaseMs: number;
  /** Pauses before a response that is not there is looked for again; at most 1.6 s by default. */
  readonly lookAgainMs?: readonly number[];
}

/**
 * Stored responses in the database that several gateways share. No answer waits for it: responses that are over are written
 * in their order, later if the database is away, and are found here meanwhile. Only one that begins in the background
 * must have been stored, since nobody could ask for it otherwise.
 */
export class PgResponseStore extends ResponseStore implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PgResponseStore.name);
  private readonly outage: Outage;
  private readonly late: LateWriter;
  private readonly givenUp = new Subject<string>();
  /** Ids of the responses that are made here in the background. */
  private readonly held = new Set<string>();
  private renewing: NodeJS.Timeout | undefined;
  private tidying: NodeJS.Timeout | undefined;
  /** Deletions under way. */
  private dropping: Promise<void> | undefined;
  private tidiedAt = -Infinity;
  private writtenSince = 0;
  private isStopped = false;

  readonly givenUp$: Observable<string> = this.givenUp.asObservable();

  constructor(
    settings: Settings,
    private readonly time: Clock,
    private readonly shared: SharedResponses,
  ) {
    super(settings);
    const begun = (error: unknown) =>
      this.logger.error(error, 'the shared responses cannot be used; those that end now are stored later');
    const over = () => this.logger.log('the shared responses can be used again');
    this.outage = new Outage(
      { begun, over },
      { shared: shared.changes.sharedOutage, triesOn: false, isPatchy: true },
    );
    this.late = new LateWriter({
      write: (record) => shared.table.end(record),
      written: (record) => this.tidy(bytesOf(record)),
      isRefusal: (error) => REFUSALS.test((error as { readonly code?: string }).code ?? ''),
      outage: this.outage,
      logger: this.logger,
    });
    shared.changes.follow('responses', () => {
      // Others that follow must not wait for it.
      void this.renew();
      return Promise.resolve();
    });
  }

  onApplicationBootstrap(): void {
    this.tidying = setInterval(() => this.dropOld(), TIDY_EVERY_MS).unref();
    this.dropOld();
  }

  async put(record: ResponseRecord): Promise<void> {
    if (isUnderWay(record.status)) {
      await this.asked(this.shared.table.begin(record));
      this.hold(record.id);
    } else {
      this.held.delete(record.id);
      this.late.put(record);
    }
  }

  async read(key: TextKey): Promise<StoredText | undefined> {
    const { table } = this.shared;
    const read = async (): Promise<StoredText | undefined> => this.late.read(key) ?? (await table.read(key));
    return this.asked(this.soon(read, (found) => found !== undefined));
  }

  async isHeld(key: ResponseKey): Promise<boolean> {
    return this.asked(this.shared.table.isHeld(key));
  }

  async remove(key: ResponseKey): Promise<boolean> {
    const { table } = this.shared;
    const isLate = await this.late.drop(key);
    const remove = async () => (await table.remove(key)) || isLate;
    return this.asked(this.soon(remove, (wasThere) => wasThere));
  }

  async chain(key: ChainKey): Promise<readonly ConversationStep[]> {
    const isThere = (steps: readonly ConversationStep[]) => {
      const last = steps.at(-1);
      return last !== undefined && !isUnderWay(last.status);
    };
    const read = () => this.late.chain(key, (before) => this.shared.table.chain(before));
    return this.asked(this.soon(read, isThere));
  }

  async chainLength(key: ChainKey): Promise<number> {
    return this.asked(this.late.chainLength(key, (before) => this.shared.table.chainLength(before)));
  }

  async giveUp(key: ResponseKey): Promise<void> {
    await this.asked(this.shared.table.giveUp(key));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.late.close();
    this.isStopped = true;
    clearInterval(this.tidying);
    clearTimeout(this.renewing);
    if (this.held.size > 0) {
      await this.shared.table.leave().catch(() => undefined);
    }
    this.givenUp.complete();
    await this.shared.table.close();
  }

  private tidy(written: number): void {
    this.writtenSince += written;
    const now = this.time.monotonic();
    if (now - this.tidiedAt >= TIDY_AFTER_MS || this.writtenSince >= this.limits.maxBytes * TIDY_SHARE) {
      this.tidiedAt = now;
      this.writtenSince = 0;
      this.dropOld();
    }
  }

  /** Nothing waits for it: after a limit was lowered it takes minutes. */
  private dropOld(): void {
    this.dropping ??= this.asked(this.dropAll())
      .catch(() => undefined)
      .finally(() => (this.dropping = undefined));
  }

  private async dropAll(): Promise<void> {
    let dropped: number;
    do {
      dropped = await this.shared.table.dropOld(this.limits);
    } while (dropped > 0 && !this.isStopped);
  }

  private hold(id: string): void {
    this.held.add(id);
    this.renewing ??= this.renewLater();
  }

  private renewLater(): NodeJS.Timeout {
    return setTimeout(() => void this.renew(), this.shared.nodeLeaseMs / RENEWALS_PER_LEASE).unref();
  }

  /** Says that what is made here goes on, and hears what of it is to end. */
  private async renew(): Promise<void> {
    clearTimeout(this.renewing);
    // A change may be announced while this gateway stops: what it has left must stay so.
    const asked = this.isStopped ? [] : [...this.held];
    if (asked.length > 0) {
      try {
        const runs = await this.shared.table.renew(asked);
        const wanted = new Set(runs.filter(({ isGivenUp }) => !isGivenUp).map(({ id }) => id));
        asked.filter((id) => this.held.has(id) && !wanted.has(id)).forEach((id) => this.givenUp.next(id));
        this.outage.succeeded();
      } catch (error) {
        this.outage.failed(error);
      }
    }
    clearTimeout(this.renewing);
    this.renewing = this.held.size > 0 && !this.isStopped ? this.renewLater() : undefined;
  }

  private async asked<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      this.outage.succeeded();
      return result;
    } catch (error) {
      this.outage.failed(error);
      throw cannotBeUsed(error, isDatabaseLost(error) ? 'database_away' : undefined);
    }
  }

  /** Reads again for a moment what is not there yet. */
  private async soon<T>(read: () => Promise<T>, isThere: (result: T) => boolean): Promise<T> {
    let result = await read();
    for (const ms of this.shared.lookAgainMs ?? LOOK_AGAIN_MS) {
      if (isThere(result)) {
        break;
      }
      await pause(ms);
      result = await read();
    }
    return result;
  }
}
