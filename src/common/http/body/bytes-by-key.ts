/** Share of a bound that the bodies of one caller's key may take, unless there is only one. */
export const KEY_SHARE = 1 / 2;

/** Bytes that each caller's key takes; those of operators are not counted. */
export class BytesByKey {
  private readonly bytes = new Map<string, number>();

  of(owner: string | undefined): number {
    return owner === undefined ? 0 : (this.bytes.get(owner) ?? 0);
  }

  /** @param bytes below 0 for what is given back */
  add(owner: string | undefined, bytes: number): void {
    if (owner === undefined) {
      return;
    }
    const sum = this.of(owner) + bytes;
    if (sum === 0) {
      this.bytes.delete(owner);
    } else {
      this.bytes.set(owner, sum);
    }
  }
}
