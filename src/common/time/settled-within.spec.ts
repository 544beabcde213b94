import { expect, it } from '@jest/globals';
import { settledWithin } from './settled-within.js';

it('gives the outcome of an operation that is in time', async () => {
  await expect(settledWithin(60_000, Promise.resolve('done'))).resolves.toBe('done');
  await expect(settledWithin(60_000, Promise.reject(new Error('full')))).rejects.toThrow('full');
});

it('waits no longer than it should, and ignores how the operation ends then', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  await expect(settledWithin(0, promise)).resolves.toBeUndefined();
  // Unhandled, it would fail the test.
  reject(new Error('failed'));
  await new Promise((resolve) => setImmediate(resolve));
});
