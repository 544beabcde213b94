import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../../common/config/settings.js';
import { InternalError } from '../../../common/errors/gateway.errors.js';
import { WorkerClient } from '../../../common/threads/worker-client.js';
import { Clock } from '../../../common/time/clock.js';
import { type ConversationStep, type ResponseKey, type ResponseRecord } from './response-record.js';

const DAY_MS = 86_400_000;
/** Longest wait for the thread, in milliseconds. */
const CALL_LIMIT_MS = 10_000;

/**
 * Stored responses in `responses.db` in `DATA_DIR`, kept by a thread of its own that starts when it is needed. Calls are dealt with in their order, so
 * that a read sees every write before it.
 */
@Injectable()
export class ResponseStore implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ResponseStore.name);
  private readonly path: string;
  private readonly worker: WorkerClient;
  private isUsed = false;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.path = join(resolve(settings.DATA_DIR), 'responses.db');
    this.worker = new WorkerClient(new URL('./response-store.worker', import.meta.url), { path: this.path });
  }

  /** False if the settings allow no stored responses. */
  get isOn(): boolean {
    return this.settings.RESPONSE_MAX_BYTES > 0;
  }

  /** Ends what the process before left under way. A store that cannot be opened fails its calls, not the gateway. */
  async onApplicationBootstrap(): Promise<void> {
    if (!existsSync(this.path)) {
      return;
    }
    try {
      const notice = await this.call<string | undefined>('open');
      if (notice !== undefined) {
        this.logger.warn(notice);
      }
    } catch {
      // `call` has said it.
    }
  }

  /** @throws InternalError */
  async put(record: ResponseRecord): Promise<void> {
    const { RESPONSE_MAX_BYTES: maxBytes, RESPONSE_RETENTION_DAYS: days } = this.settings;
    await this.call('put', { record, limits: { maxBytes, keepFrom: this.clock.now() - days * DAY_MS } });
  }

  /** @throws InternalError */
  find(key: ResponseKey): Promise<ResponseRecord | undefined> {
    return this.call('find', key);
  }

  /** @returns whether there was one @throws InternalError */
  remove(key: ResponseKey): Promise<boolean> {
    return this.call('remove', key);
  }

  /** A response and those before it, the first one first; empty if it is not there. @throws InternalError */
  chain(key: ResponseKey): Promise<readonly ConversationStep[]> {
    return this.call('chain', key);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.isUsed) {
      await this.call('close').catch(() => undefined);
      await this.worker.end();
    }
  }

  private async call<Result>(name: string, argument?: unknown): Promise<Result> {
    this.isUsed = true;
    try {
      return await this.worker.callWithin<Result>(CALL_LIMIT_MS, name, argument);
    } catch (error) {
      this.logger.error(`Stored responses cannot be used (${name}): ${(error as Error).message}`);
      throw new InternalError('local_resources', 'the stored responses cannot be used.', {
        cause: error,
      });
    }
  }
}
