import { type ServerResponse } from 'node:http';
import { type LogKind } from './log-filter.js';

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
export class LogFollower {
  /** Changes up to this number are none of its business, or it has them. */
  from = 0;
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

  write(bytes: Buffer | string): void {
    if (bytes.length === 0 || this.isGone) {
      return;
    }
    if (this.response.writableLength > MAX_BUFFERED_BYTES) {
      this.response.destroy();
    } else {
      this.response.write(bytes);
    }
  }

  end(): void {
    this.response.end();
  }
}
