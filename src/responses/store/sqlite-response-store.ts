import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { EMPTY } from 'rxjs';
import { type Settings } from '../../common/config/settings.js';
import { Outage } from '../../common/logging/outage.js';
import { isValueFault } from '../../common/store/sqlite/sqlite.js';
import { WorkerClient } from '../../common/threads/worker-client.js';
import { type Clock } from '../../common/time/clock.js';
import { DAY_MS } from '../../common/time/durations.js';
import { isUnderWay } from '../interfaces/response-object.js';
import { LateWriter } from './late-writer.js';
import {
  type ChainKey,
  type ConversationStep,
  type FileLimits,
  type PutOrder,
  type ResponseKey,
  type ResponseRecord,
  type StoredText,
  type TextKey,
} from './response-record.js';
import { cannotBeUsed, ResponseStore, TIDY_EVERY_MS } from './response-store.js';

/** Longest wait for the thread, in milliseconds. */
const CALL_LIMIT_MS = 10_000;

/**
 * Stored responses in `responses.db` in `DATA_DIR`, kept by a thread of its own that starts when it is needed. Calls are
 * dealt with in their order, so that a read sees every write before it. Responses that are over are written later where the
 * file cannot be, e.g. on a full disk.
 */
export class SqliteResponseStore
  extends ResponseStore
  implements OnApplicationBootstrap, OnApplicationShutdown
{
  /** Nobody else has the file. */
  readonly givenUp$ = EMPTY;
  private readonly logger = new Logger(SqliteResponseStore.name);
  private readonly path: string;
  private readonly worker: WorkerClient;
  private readonly late: LateWriter;
  private isUsed = false;
  private tidying: NodeJS.Timeout | undefined;
  private isTidying = false;
  private isStopped = false;

  constructor(
    settings: Settings,
    private readonly clock: Clock,
  ) {
    super(settings);
    this.path = join(resolve(settings.DATA_DIR), 'responses.db');
    this.worker = new WorkerClient(new URL('./response-store.worker', import.meta.url), { path: this.path });
    const begun = (error: unknown) =>
      this.logger.error(error, 'responses cannot be stored; those that end now are stored later');
    this.late = new LateWriter({
      write: (record) => this.write(record),
      isRefusal: isValueFault,
      outage: new Outage({ begun, over: () => this.logger.log('responses are stored again') }),
      logger: this.logger,
    });
  }

  /**
   * Ends what the process before left under way. A store that cannot be opened fails its calls, not the gateway. The start
   * waits for no deletion.
   */
  async onApplicationBootstrap(): Promise<void> {
    this.tidying = setInterval(() => void this.tidy(), TIDY_EVERY_MS).unref();
    if (!existsSync(this.path)) {
      return;
    }
    // `call` says what goes wrong.
    await this.call('open').catch(() => undefined);
    void this.tidy();
  }

  async put(record: ResponseRecord): Promise<void> {
    if (isUnderWay(record.status)) {
      this.goOnWith(await this.call<boolean>('put', this.orderFor(record)));
    } else if (this.late.count === 0) {
      await this.write(record).catch(() => this.late.put(record));
    } else {
      // Behind the others: a conversation is read backwards, from the file on.
      this.late.put(record);
    }
  }

  read(key: TextKey): Promise<StoredText | undefined> {
    return this.behindWrites(async () => this.late.read(key) ?? (await this.call('read', key)));
  }

  isHeld(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async remove(key: ResponseKey): Promise<boolean> {
    const isLate = await this.late.drop(key);
    return (await this.call<boolean>('remove', key)) || isLate;
  }

  chain(key: ChainKey): Promise<readonly ConversationStep[]> {
    return this.behindWrites(() => this.late.chain(key, (before) => this.call('chain', before)));
  }

  chainLength(key: ChainKey): Promise<number> {
    return this.behindWrites(() => this.late.chainLength(key, (before) => this.call('chainLength', before)));
  }

  giveUp(): Promise<void> {
    return Promise.resolve();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.tidying);
    this.isStopped = true;
    await this.late.close();
    if (this.isUsed) {
      await this.call('close').catch(() => undefined);
      await this.worker.end();
    }
  }

  /** Reads again where a write before it has failed meanwhile: what the file lacks waits here by then. */
  private async behindWrites<T>(read: () => Promise<T>): Promise<T> {
    const { count } = this.late;
    const result = await read();
    return this.late.count === count ? result : read();
  }

  private async write(record: ResponseRecord): Promise<void> {
    this.isUsed = true;
    this.goOnWith(await this.worker.callWithin<boolean>(CALL_LIMIT_MS, 'put', this.orderFor(record)));
  }

  /** @param isMore whether a call has left something that exceeds the limits, as after one was lowered */
  private goOnWith(isMore: boolean): void {
    if (isMore) {
      void this.tidy();
    }
  }

  private orderFor(record: ResponseRecord): PutOrder {
    return { record, limits: this.fileLimits };
  }

  private get fileLimits(): FileLimits {
    const { maxBytes, keepDays } = this.limits;
    return { maxBytes, keepFrom: this.clock.now() - keepDays * DAY_MS };
  }

  /**
   * Deletes what exceeds the limits, a part at a time, since other calls wait for each. Nothing is begun for it: without a file
   * there is nothing old.
   */
  private async tidy(): Promise<void> {
    if (this.isTidying) {
      return;
    }
    this.isTidying = true;
    for (let isMore = existsSync(this.path); isMore && !this.isStopped;) {
      isMore = await this.call<boolean>('dropOld', this.fileLimits).catch(() => false);
    }
    this.isTidying = false;
  }

  private async call<Result>(name: string, argument?: unknown): Promise<Result> {
    this.isUsed = true;
    try {
      return await this.worker.callWithin<Result>(CALL_LIMIT_MS, name, argument);
    } catch (error) {
      this.logger.error(`Stored responses cannot be used (${name}): ${(error as Error).message}`);
      throw cannotBeUsed(error);
    }
  }
}
