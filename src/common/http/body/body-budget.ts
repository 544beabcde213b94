import { getHeapStatistics } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { TooManyRequestsError } from '../../errors/gateway.errors.js';
import { ADMITTED_AT_ONCE_BYTES } from './body-admission.js';
import { BytesByKey, KEY_SHARE } from './bytes-by-key.js';

/** Most bytes of request bodies in memory at once, where the heap is large enough. */
const MAX_BYTES_IN_FLIGHT = 128 * 2 ** 20;

/** Memory beyond that bound for bodies that are admitted at once. */
export const SMALL_BODIES_BYTES = 4 * 2 ** 20;

/** Share of the heap that bodies may take: parsed, they take up to three times as much again. */
const HEAP_SHARE = 1 / 4;

/**
 * Bound of the bodies in flight.
 * @param heapBytes limit of V8's heap, which `--max-old-space-size` and small containers lower
 */
export function bodyBudgetBytes(heapBytes: number): number {
  return Math.min(MAX_BYTES_IN_FLIGHT, Math.floor(heapBytes * HEAP_SHARE));
}

/** Size from which bodies take turns, since parsing one blocks the event loop noticeably. */
const LARGE_BODY_BYTES = 256 * 2 ** 10;

/** Shares memory and parsing time among concurrent request bodies. */
@Injectable()
export class BodyBudget {
  private readonly limitBytes = bodyBudgetBytes(getHeapStatistics().heap_size_limit);
  private readonly byKey = new BytesByKey();
  private bytesInFlight = 0;
  private lastTurn: Promise<void> = Promise.resolve();

  /**
   * Reserves memory for bytes that arrived; `giveBack` frees it.
   * @param size of the body, as far as it is known; default: a large one
   * @param owner name of the caller's key; undefined for an operator
   * @throws TooManyRequestsError if the bodies in flight would take more than 128 MiB, or a quarter of a smaller heap; if those
   *   of one key would take more than half of that, and than this one alone; small bodies may take 4 MiB more
   */
  take(bytes: number, size = ADMITTED_AT_ONCE_BYTES, owner?: string): void {
    if (!this.hasRoom(bytes, size, owner)) {
      throw new TooManyRequestsError('Too many large requests are being received at this moment.', 1000, {
        reason: 'gateway_busy',
      });
    }
    this.bytesInFlight += bytes;
    this.byKey.add(owner, bytes);
  }

  giveBack(bytes: number, owner?: string): void {
    this.bytesInFlight -= bytes;
    this.byKey.add(owner, -bytes);
  }

  /**
   * Resolves in a turn of the event loop of its own, first come, first served. Large bodies that arrive together would
   * otherwise be parsed in one sweep, and every other request would wait for all of them.
   * @returns undefined for a small body, which does not wait
   */
  turn(bytes: number): Promise<void> | undefined {
    if (bytes < LARGE_BODY_BYTES) {
      return undefined;
    }
    this.lastTurn = this.lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.lastTurn;
  }

  private hasRoom(bytes: number, size: number, owner: string | undefined): boolean {
    const inFlight = this.bytesInFlight + bytes;
    if (size < ADMITTED_AT_ONCE_BYTES) {
      return inFlight <= this.limitBytes + SMALL_BODIES_BYTES;
    }
    const ofKey = owner === undefined ? 0 : this.byKey.of(owner) + bytes;
    return inFlight <= this.limitBytes && ofKey <= Math.max(this.limitBytes * KEY_SHARE, size);
  }
}
