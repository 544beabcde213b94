import { type ServerResponse } from 'node:http';
import { EVENT_STREAM_HEADERS, HEARTBEAT } from '../../common/http/answer/event-stream.js';
import { cutStalledCaller } from '../../common/http/server/stalled-caller.js';
import { type EventLog } from './event-log.js';

/** Largest write, in UTF-16 units: a long past must not fill the memory of a caller that reads slowly. */
const MAX_WRITE = 64 * 1024;

export interface EventFollowerOptions {
  /** Number of the first event to send. */
  readonly from: number;
  /** Silence between two heartbeats; a caller that takes nothing in is cut off after one to two of them. */
  readonly heartbeatIntervalMs: number;
}

/**
 * Answers with the events of a log: what is there at once, then what comes, all of one tick in one write. Ends with the
 * log, and when the caller leaves or stops reading.
 */
export class EventFollower {
  private next: number;
  private isScheduled = false;
  private isBlocked = false;
  private readonly timer: NodeJS.Timeout;

  /** Ends with the response. */
  constructor(
    private readonly response: ServerResponse,
    private readonly log: EventLog,
    { from, heartbeatIntervalMs }: EventFollowerOptions,
  ) {
    this.next = from;
    response.writeHead(200, EVENT_STREAM_HEADERS);
    cutStalledCaller(response, 2 * heartbeatIntervalMs);
    this.timer = setTimeout(() => this.heartbeat(), heartbeatIntervalMs);
    if (response.destroyed) {
      // The caller left before there was an answer; no further event tells.
      clearTimeout(this.timer);
      return;
    }
    const unsubscribe = log.subscribe(() => this.schedule());
    response.on('drain', () => this.unblock());
    response.once('close', () => {
      clearTimeout(this.timer);
      unsubscribe();
    });
    response.write(HEARTBEAT);
    this.schedule();
  }

  private schedule(): void {
    if (!this.isScheduled && !this.isBlocked) {
      this.isScheduled = true;
      process.nextTick(this.write);
    }
  }

  private readonly write = (): void => {
    this.isScheduled = false;
    while (!this.isBlocked && !this.response.destroyed) {
      const events = this.log.read(this.next, MAX_WRITE);
      if (events.length === 0) {
        if (this.log.isOver) {
          this.response.end();
        }
        return;
      }
      this.next += events.length;
      this.timer.refresh();
      this.isBlocked = !this.response.write(events.join(''));
    }
  };

  private unblock(): void {
    this.isBlocked = false;
    this.schedule();
  }

  private heartbeat(): void {
    if (this.response.writableEnded || this.response.destroyed) {
      return;
    }
    if (!this.isBlocked) {
      this.response.write(HEARTBEAT);
    }
    this.timer.refresh();
  }
}
