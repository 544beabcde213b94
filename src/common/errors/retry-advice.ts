const WORDS = /Please try again in (\d+)s\./;

/** "Please try again in 42s.", in the words in which agents look for a wait; whole seconds, rounded up, at least one. */
export function retryAdvice(waitMs: number): string {
  return `Please try again in ${Math.max(1, Math.ceil(waitMs / 1000))}s.`;
}

/** Milliseconds that such words in a message name; undefined if it has none. */
export function advisedWaitMs(message: string): number | undefined {
  const [, seconds] = WORDS.exec(message) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
