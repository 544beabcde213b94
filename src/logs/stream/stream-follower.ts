import { type ServerResponse } from 'node:http';
import { type CallerKey, ownerOf } from '../../common/http/access/caller-key.js';
import { HEARTBEAT, PRIVATE_EVENT_STREAM_HEADERS, sseData } from '../../common/http/answer/event-stream.js';
import { type LogKind, type LogRecord } from '../records/log-filter.js';
import { isOwn, withoutUpstream } from '../records/own-records.js';

/** A follower with more unread bytes than this is disconnected. */
export const MAX_BUFFERED_BYTES = 256 * 1024;
/** Time limit for replaying missed records. A client that is cut off resumes from there. */
const MISSED_LIMIT_MS = 30_000;

export interface FollowOptions {
  readonly kind: LogKind | 'all';
  readonly withTexts: boolean;
  /** With which the follower was let in. */
  readonly key?: CallerKey | undefined;
}

/** Records cannot break out of an event: JSON text has no line breaks. */
function toFrame(cursor: number | undefined, json: string): string {
  return (cursor === undefined ? '' : `id: ${cursor}\n`) + sseData(json);
}

/** One client of `/log/stream`. */
export class StreamFollower {
  /** Number of the last change before it joined; only later changes are sent live. */
  from = 0;
  /** Live events buffered until the missed ones are sent; undefined when nothing is held. */
  private held: (Buffer | string)[] | undefined;
  private heldBytes = 0;
  /** The only caller whose requests it may see; undefined for all, and for network records. */
  readonly owner: string | undefined;
  /** Identifies the options; followers of the same form get the same bytes. */
  readonly form: string;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: FollowOptions,
  ) {
    this.owner = ownerOf(options.key);
    this.form = `${options.kind} ${options.withTexts} ${this.owner ?? ''}`;
  }

  get withTexts(): boolean {
    return this.options.withTexts;
  }

  /** See `FollowOptions`. */
  get key(): CallerKey | undefined {
    return this.options.key;
  }

  /** The only kind of records to send; undefined for all. */
  get kind(): LogKind | undefined {
    const { kind } = this.options;
    return kind === 'all' ? undefined : kind;
  }

  get isGone(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  /** Sends the response head and a first heartbeat. */
  begin(): void {
    this.response.writeHead(200, PRIVATE_EVENT_STREAM_HEADERS);
    this.response.write(HEARTBEAT);
  }

  wants(record: LogRecord): boolean {
    const { kind } = this.options;
    return (
      (kind === 'all' || kind === record.kind) && (this.owner === undefined || isOwn(record, this.owner))
    );
  }

  /** One event with a record as this follower may see it. @param cursor of the change; without one the last stays */
  frame(cursor: number | undefined, json: string): string {
    return toFrame(cursor, this.owner === undefined ? json : withoutUpstream(json));
  }

  /** Buffers everything written until `release`. */
  hold(): void {
    this.held = [];
  }

  /** Sends the missed events, and once they have been read the buffered ones; cuts off a client that takes over 30 s. */
  async release(missed: string): Promise<void> {
    await this.sendMissed(missed);
    const held = this.held ?? [];
    this.held = undefined;
    held.forEach((bytes) => this.write(bytes));
  }

  /** Sends or buffers bytes; disconnects a client that is too far behind. */
  write(bytes: Buffer | string): void {
    if (bytes.length === 0 || this.isGone) {
      return;
    }
    if (this.held && this.heldBytes <= MAX_BUFFERED_BYTES) {
      this.heldBytes += bytes.length;
      this.held.push(bytes);
    } else if (this.held || this.response.writableLength > MAX_BUFFERED_BYTES) {
      this.response.destroy();
    } else {
      this.response.write(bytes);
    }
  }

  end(): void {
    this.response.end();
  }

  private async sendMissed(missed: string): Promise<void> {
    if (missed.length === 0 || this.isGone) {
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.response.destroy(), MISSED_LIMIT_MS);
    this.response.once('close', resolve);
    this.response.write(missed, () => resolve());
    await promise;
    clearTimeout(timer);
    this.response.off('close', resolve);
  }
}
