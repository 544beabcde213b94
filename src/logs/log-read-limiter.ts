import { type ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { TooManyRequestsError } from '../common/errors/gateway.errors.js';

/** Answers from the log that are read or sent at once, and how many of them callers' keys may have: one each. */
const AT_ONCE = 3;
const AT_ONCE_FOR_CALLERS = 2;
const MAX_WAITING = 32;
const MAX_WAITING_OF_A_KEY = 8;
const MAX_WAIT_MS = 5000;

interface Reader {
  /** Name of the caller's key; undefined for an operator. */
  readonly owner: string | undefined;
}

interface WaitingReader extends Reader {
  readonly admit: () => void;
}

/** Shares the reading of the log among its callers: first come, first served, within a bounded time. */
@Injectable()
export class LogReadLimiter {
  private readonly reading = new Set<Reader>();
  private readonly waiting = new Set<WaitingReader>();

  /**
   * Resolves when texts of the log may be read for this response, which holds its place until it is closed: an answer
   * that is not read yet takes memory, too.
   * @param owner name of the caller's key; undefined for an operator
   * @returns gives the place back earlier
   * @throws TooManyRequestsError if too many callers wait, or for too long
   */
  async enter(response: ServerResponse, owner?: string): Promise<() => void> {
    const reader = { owner };
    if (this.hasPlaceFor(owner)) {
      this.reading.add(reader);
    } else {
      await this.wait(response, reader);
    }
    const leave = (): void => {
      response.off('close', leave);
      this.leave(reader);
    };
    if (response.closed) {
      leave();
    } else {
      response.once('close', leave);
    }
    return leave;
  }

  private async wait(response: ServerResponse, reader: Reader): Promise<void> {
    const { owner } = reader;
    const ofKey = owner === undefined ? [] : [...this.waiting].filter((other) => other.owner === owner);
    if (this.waiting.size >= MAX_WAITING || ofKey.length >= MAX_WAITING_OF_A_KEY) {
      throw tooMany();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: WaitingReader = {
      owner,
      admit: () => {
        this.waiting.delete(waiting);
        this.reading.add(reader);
        resolve();
      },
    };
    const giveUp = (): void => {
      // At once, so that no place is handed to it meanwhile.
      this.waiting.delete(waiting);
      reject(tooMany());
    };
    const timer = setTimeout(giveUp, MAX_WAIT_MS);
    response.once('close', giveUp);
    this.waiting.add(waiting);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      response.off('close', giveUp);
    }
  }

  private leave(reader: Reader): void {
    this.reading.delete(reader);
    for (const { owner, admit } of this.waiting) {
      if (this.hasPlaceFor(owner)) {
        admit();
      }
    }
  }

  private hasPlaceFor(owner: string | undefined): boolean {
    const callers = [...this.reading].filter((other) => other.owner !== undefined);
    const isFree =
      owner === undefined ||
      (callers.length < AT_ONCE_FOR_CALLERS && callers.every((other) => other.owner !== owner));
    return isFree && this.reading.size < AT_ONCE;
  }
}

function tooMany(): TooManyRequestsError {
  return new TooManyRequestsError('Too many pages of the log are being read at this moment.', 1000, {
    reason: 'gateway_busy',
  });
}
