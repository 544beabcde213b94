/** A store that cannot be used. The message names the fault and the remedy, for the operator. */
export class StoreError extends Error {
  override name = 'StoreError';

  constructor(
    message: string,
    cause?: unknown,
    /** Whether it may pass by itself. */
    readonly passes = false,
  ) {
    super(message, { cause });
  }
}
