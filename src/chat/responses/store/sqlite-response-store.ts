import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { EMPTY } from 'rxjs';
import { type Settings } from '../../../common/config/settings.js';
import { WorkerClient } from '../../../common/threads/worker-client.js';
import { type Clock } from '../../../common/time/clock.js';
import {
  type ChainKey,
  type ConversationStep,
  type FileLimits,
  type ResponseKey,
  type ResponseRecord,
} from './response-record.js';
import { cannotBeUsed, ResponseStore, TIDY_EVERY_MS } from './response-store.js';

const DAY_MS = 86_400_000;
/** Longest wait for the thread, in milliseconds. */
const CALL_LIMIT_MS = 10_000;

/**
 * Stored responses in `responses.db` in `DATA_DIR`, kept by a thread of its own that starts when it is needed. Calls are dealt with in their order, so
 * that a read sees every write before it.
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
  private isUsed = false;
  private tidying: NodeJS.Timeout | undefined;

  constructor(
    settings: Settings,
    private readonly clock: Clock,
  ) {
    super(settings);
    this.path = join(resolve(settings.DATA_DIR), 'responses.db');
    this.worker = new WorkerClient(new URL('./response-store.worker', import.meta.url), { path: this.path });
  }

  /** Ends what the process before left under way. A store that cannot be opened fails its calls, not the gateway. */
  async onApplicationBootstrap(): Promise<void> {
    this.tidying = setInterval(() => void this.tidy(), TIDY_EVERY_MS).unref();
    if (!existsSync(this.path)) {
      return;
    }
    // `call` says what goes wrong.
    await this.call('open').catch(() => undefined);
    await this.tidy();
  }

  async put(record: ResponseRecord): Promise<void> {
    await this.call('put', { record, limits: this.fileLimits });
  }

  find(key: ResponseKey): Promise<ResponseRecord | undefined> {
    return this.call('find', key);
  }

  isHeld(): Promise<boolean> {
    return Promise.resolve(false);
  }

  remove(key: ResponseKey): Promise<boolean> {
    return this.call('remove', key);
  }

  chain(key: ChainKey): Promise<readonly ConversationStep[]> {
    return this.call('chain', key);
  }

  chainLength(key: ChainKey): Promise<number> {
    return this.call('chainLength', key);
  }

  giveUp(): Promise<void> {
    return Promise.resolve();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.tidying);
    if (this.isUsed) {
      await this.call('close').catch(() => undefined);
      await this.worker.end();
    }
  }

  private get fileLimits(): FileLimits {
    const { maxBytes, keepDays } = this.limits;
    return { maxBytes, keepFrom: this.clock.now() - keepDays * DAY_MS };
  }

  /** Nothing is begun for it: without a file there is nothing old. */
  private async tidy(): Promise<void> {
    if (existsSync(this.path)) {
      await this.call('dropOld', this.fileLimits).catch(() => undefined);
    }
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
