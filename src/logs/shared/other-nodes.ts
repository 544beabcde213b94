import { setTimeout as pause } from 'node:timers/promises';
import { Observable, share } from 'rxjs';
import { type WorkerClient } from '../../common/threads/worker-client.js';
import { type OtherRecord } from './shared-search.js';

const CALL_LIMIT_MS = 30_000;
/** Longest wait for an announcement; one that was lost costs so much. */
const WAIT_MS = 1000;
const PAUSE_AFTER_FAILURE_MS = 1000;
const MAX_RECORDS = 200;

interface News {
  readonly records: readonly OtherRecord[];
  readonly position: number;
}

/** Follows the changes of other gateways' records, while somebody wants them. */
export class OtherNodes {
  readonly changes$: Observable<OtherRecord>;
  private reached: number | undefined;
  /** Whether the database may be another one than that of the latest step. */
  private isDoubtful = false;
  private readonly closed = new AbortController();

  /** @param worker the thread of the shared log, once there is one */
  constructor(private readonly worker: () => WorkerClient | undefined) {
    this.changes$ = new Observable<OtherRecord>((subscriber) => {
      const stopped = new AbortController();
      const signal = AbortSignal.any([stopped.signal, this.closed.signal]);
      void this.follow((record) => subscriber.next(record), signal);
      return () => stopped.abort();
    }).pipe(share());
  }

  /** Position of the last change that was passed on to the present subscribers; undefined before the first look. */
  get position(): number | undefined {
    return this.reached;
  }

  close(): void {
    this.closed.abort();
  }

  private async follow(onRecord: (record: OtherRecord) => void, signal: AbortSignal): Promise<void> {
    this.reached = undefined;
    while (!signal.aborted) {
      try {
        await this.step(onRecord, signal);
      } catch {
        // Reported by those who read and ship.
        this.isDoubtful = true;
        await pause(PAUSE_AFTER_FAILURE_MS, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  private async step(onRecord: (record: OtherRecord) => void, signal: AbortSignal): Promise<void> {
    const worker = this.worker();
    if (worker === undefined) {
      throw new Error('The shared log is not open yet.');
    }
    if (this.reached === undefined || this.isDoubtful) {
      const position = await worker.callWithin<number>(CALL_LIMIT_MS, 'position');
      if (!signal.aborted) {
        // A restored database counts its changes anew, and would have none after the position of before for long.
        this.reached = Math.min(this.reached ?? position, position);
        this.isDoubtful = false;
      }
      return;
    }
    const query = { after: this.reached, limit: MAX_RECORDS, waitMs: WAIT_MS };
    const news = await worker.callWithin<News>(CALL_LIMIT_MS, 'follow', query);
    if (!signal.aborted) {
      news.records.forEach(onRecord);
      this.reached = news.position;
    }
  }
}
