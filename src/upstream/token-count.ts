/**
 * A token count as an upstream states it, or undefined for a value that is no count. Callers' typed SDKs and the log's
 * integer columns take only finite integers from 0 to 2^53 − 1; upstreams have been seen to send others.
 */
export function tokenCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
