import { type KeyLimiter } from './key-limiter.js';

/** The place of one request among the concurrent ones of its key, from its admission until its last holder is done. */
export class KeySlot {
  private holders = 1;

  /** @param limiter the limiter that the request has entered */
  constructor(private readonly limiter: KeyLimiter) {}

  hold(): void {
    if (this.holders === 0) {
      this.limiter.rejoin();
    }
    this.holders += 1;
  }

  /** To be called once by each holder. */
  release(): void {
    this.holders -= 1;
    if (this.holders === 0) {
      this.limiter.leave();
    }
  }
}
