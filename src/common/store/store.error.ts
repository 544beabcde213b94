/** The store cannot be used as it is: the message says what is wrong and what the operator can do. */
export class StoreError extends Error {
  override name = 'StoreError';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
