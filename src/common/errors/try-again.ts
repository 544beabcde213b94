/** "Please try again in 42s.", in the words in which agents look for a wait; whole seconds, rounded up, at least one. */
export function tryAgainIn(waitMs: number): string {
  return `Please try again in ${Math.max(1, Math.ceil(waitMs / 1000))}s.`;
}
