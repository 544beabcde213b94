import { type ServerResponse } from 'node:http';
import { EVENT_STREAM_HEADERS, HEARTBEAT } from '../../common/http/answer/event-stream.js';
import { cutStalledCaller } from '../../common/http/server/stalled-caller.js';
import { type EventLog } from './event-log.js';

/** Largest write, in UTF-16 units: a long past must not fill the memory of a caller that reads slowly. */
const MAX_WRITE = 64 * 1024;

/** Events to read, from the first one that the caller does not have. */
export interface EventReading {
  readonly log: EventLog;
  readonly from: number;
  /** Called when nobody reads the events any longer. */
  readonly leave?: () => void;
}

/**
 * Answers with the events of a log: what is there at once, then what comes, all of one tick in one write. Ends with the
 * log, and when the caller leaves or stops reading.
 * @param heartbeatMs silence between two heartbeats; a caller that takes nothing in is cut off after one to two of them
 */
export function followEvents(response: ServerResponse, reading: EventReading, heartbeatMs: number): void {
  response.writeHead(200, EVENT_STREAM_HEADERS);
  if (response.req.method === 'HEAD') {
    response.end();
    reading.leave?.();
    return;
  }
  cutStalledCaller(response, 2 * heartbeatMs);
  if (response.destroyed) {
    // The caller left before there was an answer; no further event tells.
    reading.leave?.();
    return;
  }
  new EventFollower(response, reading).start(heartbeatMs);
}

class EventFollower {
  private next: number;
  private isScheduled = false;
  private isBlocked = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: ServerResponse,
    private readonly reading: EventReading,
  ) {
    this.next = reading.from;
  }

  /** Ends with the response. */
  start(heartbeatMs: number): void {
    const { response, reading } = this;
    this.timer = setTimeout(() => this.heartbeat(), heartbeatMs);
    const unsubscribe = reading.log.subscribe(() => this.schedule());
    response.on('drain', () => this.unblock());
    response.on('close', () => {
      clearTimeout(this.timer);
      unsubscribe();
      reading.leave?.();
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
    const { log } = this.reading;
    while (!this.isBlocked && !this.response.destroyed) {
      const events = log.read(this.next, MAX_WRITE);
      if (events.length === 0) {
        if (log.isOver) {
          this.response.end();
        }
        return;
      }
      this.next += events.length;
      this.timer?.refresh();
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
    this.timer?.refresh();
  }
}
