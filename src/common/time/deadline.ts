/** The operation's outcome; rejects with the error after `timeoutMs`. The operation itself is not stopped. */
export async function withDeadline<T>(
  operation: Promise<T>,
  timeoutMs: number,
  error: () => Error,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(error()), timeoutMs);
  try {
    return await Promise.race([operation, promise]);
  } finally {
    clearTimeout(timer);
  }
}

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
