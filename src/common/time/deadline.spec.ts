import { expect, it } from '@jest/globals';
import { settledWithin, withDeadline } from './deadline.js';

const never = new Promise<never>(() => undefined);

it('gives the outcome of an operation that is in time', async () => {
  await expect(settledWithin(60_000, Promise.resolve('done'))).resolves.toBe('done');
  await expect(settledWithin(60_000, Promise.reject(new Error('full')))).rejects.toThrow('full');
});

it('waits no longer than it should', async () => {
  await expect(settledWithin(0, never)).resolves.toBeUndefined();
  await expect(withDeadline(never, 0, () => new Error('too late'))).rejects.toThrow('too late');
});

it('ignores an operation that fails after the limit', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  await settledWithin(0, promise);
  await withDeadline(promise, 0, () => new Error('too late')).catch(() => undefined);
  // Unhandled, it would fail the test.
  reject(new Error('failed'));
  await new Promise((resolve) => setImmediate(resolve));
});
