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
    operation.catch(() => undefined);
  }
}

/** The operation's outcome; rejects with the signal's reason on abort. The operation itself is not stopped. */
export function untilAborted<T>(operation: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) {
      onAbort();
    }
    signal.addEventListener('abort', onAbort, { once: true });
    operation.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
