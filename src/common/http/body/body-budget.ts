import { Injectable } from '@nestjs/common';
import { RateLimitError } from '../../errors/gateway.errors.js';

/** Most bytes of request bodies that may wait in memory at once. */
const MAX_BYTES_IN_FLIGHT = 128 * 2 ** 20;

/** Working on more than this takes long enough to be felt, so such bodies take turns. */
const LARGE_BODY_BYTES = 256 * 2 ** 10;

/** Shares memory and parsing time among the bodies that arrive at the same time. */
@Injectable()
export class BodyBudget {
  private bytesInFlight = 0;
  private lastTurn: Promise<void> = Promise.resolve();

  /** @throws RateLimitError if the bodies in flight would take too much memory */
  take(bytes: number): void {
    if (this.bytesInFlight + bytes > MAX_BYTES_IN_FLIGHT) {
      throw new RateLimitError('Too many large requests are being received at this moment.', 1000);
    }
    this.bytesInFlight += bytes;
  }

  giveBack(bytes: number): void {
    this.bytesInFlight -= bytes;
  }

  /**
   * Resolves in a turn of the event loop that a large body has for itself, first come, first served. Bodies that
   * arrive together would otherwise be worked on in one sweep, and everything else would wait for all of them.
   * @returns undefined for a small body, which need not wait
   */
  turn(bytes: number): Promise<void> | undefined {
    if (bytes < LARGE_BODY_BYTES) {
      return undefined;
    }
    this.lastTurn = this.lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.lastTurn;
  }
}
