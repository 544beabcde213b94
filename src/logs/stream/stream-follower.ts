import { type ServerResponse } from 'node:http';
import { type LogKind } from '../records/log-filter.js';

/** A follower with more unread bytes than this is disconnected. */
export const MAX_BUFFERED_BYTES = 256 * 1024;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Comment event; keeps proxies from closing an idle stream. */
export const HEARTBEAT = ': heartbeat\n\n';

export interface FollowOptions {
  readonly kind: LogKind | 'all';
  readonly withTexts: boolean;
}

/** One event. Records cannot break out of it: JSON text has no line breaks. @param number cursor of the change */
export function toFrame(number: number, json: string): string {
  return `id: ${number}\ndata: ${json}\n\n`;
}

/** One client of `/log/stream`. */
export class StreamFollower {
  /** Number of the last change before it joined; only later changes are sent live. */
  from = 0;
  /** Live events buffered until the missed ones are sent; undefined when nothing is held. */
  private held: (Buffer | string)[] | undefined;
  private heldBytes = 0;
  /** Key of the options; followers of the same form get the same bytes. */
  readonly form: string;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: FollowOptions,
  ) {
    this.form = `${options.kind} ${options.withTexts}`;
  }

  get withTexts(): boolean {
    return this.options.withTexts;
  }

  /** Kinds of records to send. */
  get kinds(): readonly LogKind[] {
    const { kind } = this.options;
    return kind === 'all' ? ['request', 'network'] : [kind];
  }

  get isGone(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  /** Sends the response head and a first heartbeat. */
  begin(): void {
    this.response.writeHead(200, HEADERS);
    this.response.write(HEARTBEAT);
  }

  wants(kind: LogKind): boolean {
    return this.options.kind === 'all' || this.options.kind === kind;
  }

  /** Buffers everything written until `release`. */
  hold(): void {
    this.held = [];
  }

  /** Sends the missed events, then the buffered ones. */
  release(missed: string): void {
    const held = this.held ?? [];
    this.held = undefined;
    [missed, ...held].forEach((bytes) => this.write(bytes));
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
}
