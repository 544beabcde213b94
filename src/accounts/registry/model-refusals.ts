/** After this, an account is asked again for a model that it was refused: its owner may have been given access. */
const REFUSAL_MS = 600_000;

/**
 * Models that the upstream has refused an account, whether the account has no access to them or there are none of that
 * name. Times are monotonic milliseconds.
 */
export class ModelRefusals {
  private readonly ends = new Map<string, number>();

  /** @returns whether that is news */
  add(model: string, now: number): boolean {
    for (const [name, end] of this.ends) {
      if (end <= now) {
        this.ends.delete(name);
      }
    }
    const isNew = !this.ends.has(model);
    this.ends.set(model, now + REFUSAL_MS);
    return isNew;
  }

  includes(model: string, now: number): boolean {
    return this.ends.size > 0 && now < (this.ends.get(model) ?? -Infinity);
  }

  /** When the next one ends; undefined without any. */
  endAfter(now: number): number | undefined {
    let first: number | undefined;
    for (const end of this.ends.values()) {
      if (end > now && (first === undefined || end < first)) {
        first = end;
      }
    }
    return first;
  }

  /** @returns whether the model had been refused */
  delete(model: string): boolean {
    return this.ends.delete(model);
  }

  clear(): void {
    this.ends.clear();
  }
}
