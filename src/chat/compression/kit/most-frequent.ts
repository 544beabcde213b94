/** The value that is there most often, of several the one that comes first; undefined without values. */
export function mostFrequent<T>(values: readonly T[]): T | undefined {
  let most: readonly T[] = [];
  for (const same of Map.groupBy(values, (value) => value).values()) {
    most = same.length > most.length ? same : most;
  }
  return most[0];
}
