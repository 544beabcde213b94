import { type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { RateLimitError } from '../common/errors/gateway.errors.js';

/** Pages of the log that are read or sent at once. */
const AT_ONCE = 2;
const MAX_WAITING = 32;
const MAX_WAIT_MS = 5000;

/** Shares the reading of the log among its callers: first come, first served, within a bounded time. */
@Injectable()
export class LogReads {
  private running = 0;
  /** Each takes over the place of a reader that has left. */
  private readonly waiting = new Set<() => void>();

  /**
   * Resolves when a page may be read for this response, which holds its place until it is closed: an answer that is not
   * read yet takes memory, too.
   * @throws RateLimitError if too many callers wait, or for too long
   */
  async enter(response: ServerResponse): Promise<void> {
    if (this.running < AT_ONCE) {
      this.running += 1;
    } else {
      await this.wait(response);
    }
    if (response.closed) {
      this.leave();
    } else {
      response.once('close', () => this.leave());
    }
  }

  private async wait(response: ServerResponse): Promise<void> {
    if (this.waiting.size >= MAX_WAITING) {
      throw tooMany();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      // At once, so that no place is handed to it meanwhile.
      this.waiting.delete(resolve);
      reject(tooMany());
    };
    const timer = setTimeout(giveUp, MAX_WAIT_MS);
    response.once('close', giveUp);
    this.waiting.add(resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      response.off('close', giveUp);
    }
  }

  private leave(): void {
    const [next] = this.waiting;
    if (next) {
      this.waiting.delete(next);
      next();
    } else {
      this.running -= 1;
    }
  }
}

function tooMany(): RateLimitError {
  return new RateLimitError('Too many pages of the log are being read at this moment.', 1000, {
    reason: 'gateway_busy',
  });
}
