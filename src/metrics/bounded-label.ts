/** Limit of values per label: each value costs a time series in Prometheus. */
const MAX_VALUES = 50;

/** Bounds the cardinality of a label: values beyond 50 become `other`. */
export class BoundedLabel {
  private readonly values = new Set<string>();

  of(word: string): string {
    if (this.values.has(word)) {
      return word;
    }
    if (this.values.size === MAX_VALUES) {
      return 'other';
    }
    this.values.add(word);
    return word;
  }

  /** Makes place for another value. */
  free(word: string): void {
    this.values.delete(word);
  }
}
