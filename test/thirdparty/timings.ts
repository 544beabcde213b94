/** The value below which a share of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** E.g. `p50 1.2 ms, p99 3.4 ms`. */
export function describeTimes(times: readonly number[]): string {
  const at = (share: number): string => `${quantile(times, share).toFixed(1)} ms`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}`;
}
