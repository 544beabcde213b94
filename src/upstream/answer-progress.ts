import { UnavailableError } from './upstream.errors.js';
import { type UpstreamBatch } from './upstream-driver.js';

/** Whether a batch brings an answer forward: by text, reasoning or a tool call, or by its end. */
export function bringsProgress(batch: UpstreamBatch): boolean {
  // An index loop, since this runs once a read.
  for (let index = 0; index < batch.length; index++) {
    const type = batch[index]?.type;
    if (type !== 'accepted' && type !== 'usage') {
      return true;
    }
  }
  return false;
}

/**
 * Counts the bytes of an answer that bring nothing: comments, blank lines, white space, empty events. Without a limit an
 * upstream could keep a session busy reading them.
 */
export class FillerCounter {
  private bytes = 0;

  /** @param limit most bytes between two pieces of an answer, read at each count */
  constructor(private readonly limit: () => number) {}

  /** @throws UnavailableError above the limit */
  add(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.limit()) {
      throw new UnavailableError(
        'no_progress',
        'The upstream sent endless data without a piece of an answer.',
      );
    }
  }

  /** Notes what came of the bytes so far. */
  take(batch: UpstreamBatch): void {
    if (bringsProgress(batch)) {
      this.bytes = 0;
    }
  }
}
