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
