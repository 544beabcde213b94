/** Far above every context; days of such counts still add up to integers that JavaScript and the log's columns can hold. */
const MAX_TOKENS = 1e9;

/**
 * A token count as an upstream states it, or undefined for a value that is no count, or more than one answer can have. Callers'
 * typed SDKs and the log's integer columns take only finite integers from 0; upstreams have been seen to send others.
 */
export function tokenCount(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKENS
    ? (value as number)
    : undefined;
}
