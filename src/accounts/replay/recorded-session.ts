import { Observable } from 'rxjs';
import { UnavailableError } from '../../upstream/upstream.errors.js';
import { type UpstreamBatch, UpstreamSession } from '../../upstream/upstream-driver.js';

/** Batches played in one turn of the event loop, so that a long recording stops nothing else. */
const BATCHES_A_TURN = 256;

/** Word of the error that ends a recording whose first run needed no more of the answer. */
const RECORDING_ENDS = 'recording_ends';

/** Plays one attempt back, as fast as it is read. */
export class RecordedSession extends UpstreamSession {
  readonly isUsable = true;

  /**
   * @param batches the reads, in order
   * @param error failure of the attempt; undefined without one
   */
  constructor(
    private readonly batches: readonly UpstreamBatch[],
    private readonly error: Error | undefined,
  ) {
    super();
  }

  send(): Observable<UpstreamBatch> {
    return new Observable((subscriber) => {
      let turn = setImmediate(() => play(0));
      const play = (from: number): void => {
        const to = from + BATCHES_A_TURN;
        for (const batch of this.batches.slice(from, to)) {
          subscriber.next(batch);
          if (subscriber.closed) {
            return;
          }
        }
        if (to < this.batches.length) {
          turn = setImmediate(() => play(to));
        } else if (this.error || this.batches.at(-1)?.at(-1)?.type !== 'done') {
          subscriber.error(this.error ?? endOfRecording());
        } else {
          subscriber.complete();
        }
      };
      return () => clearImmediate(turn);
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

export function endOfRecording(): UnavailableError {
  return new UnavailableError(RECORDING_ENDS, 'The recording ends here: its run needed no more.');
}
