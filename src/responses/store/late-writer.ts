import { type Logger } from '@nestjs/common';
import { type Outage } from '../../common/logging/outage.js';
import { Pause } from '../../common/time/pause.js';
import { settledWithin } from '../../common/time/settled-within.js';
import { LateResponses } from './late-responses.js';
import {
  type ChainKey,
  type ConversationStep,
  type ResponseKey,
  type ResponseRecord,
  type StoredText,
  storedTextOf,
  type TextKey,
} from './response-record.js';

/** Pause before a response that could not be stored is tried again. */
const RETRY_MS = 1000;
/** Longest wait at the end for what is still to be stored. */
const FLUSH_MS = 3000;

export interface LateWriterOptions {
  readonly write: (record: ResponseRecord) => Promise<void>;
  /** Called after each. */
  readonly written?: (record: ResponseRecord) => void;
  /** Whether an error says that this response cannot be stored, not that nothing can. */
  readonly isRefusal: (error: unknown) => boolean;
  readonly outage: Pick<Outage, 'failed' | 'succeeded'>;
  readonly logger: Pick<Logger, 'error'>;
}

/**
 * Write-behind buffer of responses that are over. They are written in their order, again and again while the store cannot
 * be used, and are found here meanwhile.
 */
export class LateWriter {
  private readonly late = new LateResponses();
  private readonly pause = new Pause();
  private writing: Promise<void> | undefined;
  /** The latest write. */
  private storing: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly options: LateWriterOptions) {}

  put(record: ResponseRecord): void {
    const lost = this.late.add(record);
    if (lost > 0) {
      this.options.logger.error(`${lost} responses are not stored: too many wait`);
    }
    this.writing ??= this.writeAll();
  }

  /** Responses that wait. */
  get count(): number {
    return this.late.count;
  }

  /** See `ResponseStore.read`. */
  read(key: TextKey): StoredText | undefined {
    const record = this.late.find(key);
    return record && storedTextOf(record, key.column, key.maxLength);
  }

  /** Forgets one, so that it is not in the store later. @returns whether it was here */
  async drop(key: ResponseKey): Promise<boolean> {
    const isLate = this.late.find(key) !== undefined;
    if (isLate) {
      this.late.delete(key.id);
    }
    // Its row may just be written.
    await this.storing.catch(() => undefined);
    return isLate;
  }

  /** A conversation, of which `read` gives the part in the store. */
  async chain(
    key: ChainKey,
    read: (key: ChainKey) => Promise<readonly ConversationStep[]>,
  ): Promise<readonly ConversationStep[]> {
    const { late, before } = this.split(key);
    const stored = before ? await read(before) : [];
    return [...stored, ...late.toReversed()];
  }

  /** Characters of its texts, of which `read` gives those in the store. */
  async chainLength(key: ChainKey, read: (key: ChainKey) => Promise<number>): Promise<number> {
    const { late, before } = this.split(key);
    const stored = before ? await read(before) : 0;
    return late.reduce((sum, { body, input }) => sum + body.length + input.length, stored);
  }

  /** Waits 3 s for what is to be written, and gives up the rest. */
  async close(): Promise<void> {
    await settledWithin(FLUSH_MS, Promise.resolve(this.writing));
    this.isStopped = true;
    this.pause.end();
    const { count } = this.late;
    if (count > 0) {
      this.options.logger.error(`${count} responses are not stored: the gateway ends`);
    }
  }

  /** The part of a conversation that waits to be written, the latest first, and the key of the part before it. */
  private split(key: ChainKey): { late: readonly ConversationStep[]; before: ChainKey | undefined } {
    const late = this.late.chain(key);
    const previous = late.length === 0 ? key.id : late.at(-1)!.previous;
    return { late, before: previous === null ? undefined : { ...key, id: previous } };
  }

  private async writeAll(): Promise<void> {
    const { write, written, outage } = this.options;
    for (let record = this.late.first; record && !this.isStopped; record = this.late.first) {
      try {
        this.storing = write(record);
        await this.storing;
        this.late.delete(record.id);
        outage.succeeded();
        written?.(record);
      } catch (error) {
        await this.postpone(record, error);
      }
    }
    // At once: what comes from now on has to begin anew.
    this.writing = undefined;
  }

  private async postpone({ id }: ResponseRecord, error: unknown): Promise<void> {
    if (this.options.isRefusal(error)) {
      this.late.delete(id);
      this.options.logger.error(error, 'a response cannot be stored, and is left out');
    } else {
      this.options.outage.failed(error);
      await this.pause.wait(RETRY_MS);
    }
  }
}
