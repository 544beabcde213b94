import { type Observable, Subscription } from 'rxjs';
import { type UpstreamBatch } from '../../upstream/upstream-driver.js';

/**
 * Hands each batch on until `goesOn` returns false or there are no more. By hand, since every stream keeps what waits for
 * its next batch: operators and `lastValueFrom` would keep a kilobyte more, and cost each read.
 * @throws what the source or `goesOn` does
 */
export function takeBatches(
  batches$: Observable<UpstreamBatch>,
  goesOn: (batch: UpstreamBatch) => boolean,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const subscription = new Subscription();
  const next = (batch: UpstreamBatch): void => {
    // A source that emits within `subscribe` cannot be left before its end.
    if (subscription.closed) {
      return;
    }
    try {
      if (!goesOn(batch)) {
        subscription.unsubscribe();
        resolve();
      }
    } catch (error) {
      subscription.unsubscribe();
      reject(error);
    }
  };
  subscription.add(batches$.subscribe({ next, error: reject, complete: resolve }));
  return promise;
}
