/** Most values of one label; each takes a time series of its own wherever metrics are kept. */
const MAX_VALUES = 50;

/** Keeps a label from having any number of values: words that come after the first 50 become `other`. */
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
}
