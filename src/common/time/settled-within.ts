/** The operation's outcome; undefined after `limitMs`. The operation itself is not stopped. */
export async function settledWithin<T>(limitMs: number, operation: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), limitMs);
  try {
    return await Promise.race([operation, promise]);
  } finally {
    clearTimeout(timer);
  }
}
