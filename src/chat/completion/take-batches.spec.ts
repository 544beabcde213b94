import { describe, expect, it } from '@jest/globals';
import { NEVER, Observable, of, startWith, Subject, throwError } from 'rxjs';
import { type UpstreamBatch } from '../../upstream/upstream-driver.js';
import { takeBatches } from './take-batches.js';

const BATCHES: readonly UpstreamBatch[] = ['a', 'b', 'c'].map((text) => [{ type: 'text', text }]);
const [FIRST = [], SECOND = []] = BATCHES;

describe('takeBatches', () => {
  it('hands on every batch, and resolves behind the last one', async () => {
    const taken: UpstreamBatch[] = [];
    await takeBatches(of(...BATCHES), (batch) => taken.push(batch) > 0);
    expect(taken).toEqual(BATCHES);
  });

  it('leaves the source at the first batch that ends the answer', async () => {
    const source = new Subject<UpstreamBatch>();
    const taken: UpstreamBatch[] = [];
    const whole = takeBatches(source, (batch) => taken.push(batch) < 2);
    BATCHES.forEach((batch) => source.next(batch));
    await whole;
    expect(taken).toEqual([FIRST, SECOND]);
    expect(source.observed).toBe(false);
  });

  it('leaves a source whose batch comes before it can be left', async () => {
    let hasLeft = false;
    const source = new Observable<UpstreamBatch>((subscriber) => {
      const inner = NEVER.pipe(startWith(...BATCHES)).subscribe(subscriber);
      return () => {
        hasLeft = true;
        inner.unsubscribe();
      };
    });
    const taken: UpstreamBatch[] = [];
    await takeBatches(source, (batch) => taken.push(batch) < 1);
    expect(taken).toEqual([FIRST]);
    expect(hasLeft).toBe(true);
  });

  it('rejects with the error of the source', async () => {
    const error = new Error('broken');
    await expect(
      takeBatches(
        throwError(() => error),
        () => true,
      ),
    ).rejects.toBe(error);
  });

  it('rejects with what taking a batch throws, and leaves the source', async () => {
    const source = new Subject<UpstreamBatch>();
    const error = new Error('unreadable');
    const whole = takeBatches(source, () => {
      throw error;
    });
    source.next(FIRST);
    await expect(whole).rejects.toBe(error);
    expect(source.observed).toBe(false);
  });
});
