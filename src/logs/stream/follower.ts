import { type ServerResponse } from 'node:http';
import { type LogKind } from '../records/log-filter.js';

/** A reader that has so many bytes waiting is dropped. */
export const MAX_BUFFERED_BYTES = 256 * 1024;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

export const HEARTBEAT = ': heartbeat\n\n';

export interface FollowOptions {
  readonly kind: LogKind | 'all';
  readonly withTexts: boolean;
}

/** One event. JSON has no line breaks, and the number is ours: no record can end its event early. */
export function toFrame(number: number, json: string): string {
  return `id: ${number}\ndata: ${json}\n\n`;
}

/** Somebody who reads the log as it grows. */
export class Follower {
  /** Changes up to this number are none of its business, or it has them. */
  from = 0;
  /** What it is to be sent after what it missed; undefined once it has that. */
  private held: (Buffer | string)[] | undefined;
  private heldBytes = 0;
  /** Readers of the same form get the same bytes. */
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

  /** The kinds that it reads. */
  get kinds(): readonly LogKind[] {
    const { kind } = this.options;
    return kind === 'all' ? ['request', 'network'] : [kind];
  }

  get isGone(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }

  begin(): void {
    this.response.writeHead(200, HEADERS);
    this.response.write(HEARTBEAT);
  }

  wants(kind: LogKind): boolean {
    return this.options.kind === 'all' || this.options.kind === kind;
  }

  /** From here on what is written waits until it is let go on. */
  hold(): void {
    this.held = [];
  }

  /** @param missed goes before what has been waiting */
  letGoOn(missed: string): void {
    const held = this.held ?? [];
    this.held = undefined;
    [missed, ...held].forEach((bytes) => this.write(bytes));
  }

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
