import { type ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { InvalidRequestError, TooManyRequestsError } from '../../errors/gateway.errors.js';
import { AttachedValue } from '../../memory/attached-value.js';
import { BytesByKey, KEY_SHARE } from './bytes-by-key.js';

/** Smaller bodies are admitted at once, and not counted. */
export const ADMITTED_AT_ONCE_BYTES = 64 * 2 ** 10;

/** Heap that the gateway takes itself. */
const OWN_HEAP_BYTES = 64 * 2 ** 20;

/** Share of the rest for large bodies: parsed and on its way, a body takes up to ten times its size. */
const HEAP_SHARE = 1 / 24;

/**
 * Bound of the large bodies whose answers have not ended.
 * @param heapBytes limit of V8's heap, which `--max-old-space-size` and small containers lower
 */
export function admittedBytes(heapBytes: number): number {
  return Math.max(0, Math.floor((heapBytes - OWN_HEAP_BYTES) * HEAP_SHARE));
}

interface LargeBody {
  readonly bytes: number;
  /** Name of the caller's key; undefined for an operator. */
  readonly owner: string | undefined;
  /** Bytes that its response holds already, for a body that another one refers to. */
  readonly held: number;
}

/** What the bodies of one response take, until its last holder is done. */
interface Hold {
  readonly owner: string | undefined;
  bytes: number;
  holders: number;
}

interface WaitingBody extends LargeBody {
  readonly admit: () => void;
}

/**
 * Lets large bodies in as far as memory goes, first come, first served. The caller of one that waits is not read from
 * meanwhile, so that waiting takes no memory. One that is larger than the bound is let in when there is no other. Those of
 * a caller's key that has its share are passed over. Responses that wait for more than they hold go first, one of them
 * even beyond the bound if all that is held waits so: they would wait for each other.
 */
@Injectable()
export class BodyAdmission {
  private readonly limitBytes = admittedBytes(getHeapStatistics().heap_size_limit);
  private readonly waiting = new Set<WaitingBody>();
  /** Those whose responses hold some already. */
  private readonly growing = new Set<WaitingBody>();
  private readonly holds = new AttachedValue<ServerResponse, Hold>('hold on memory');
  private readonly byKey = new BytesByKey();
  private admitted = 0;
  /** What the growing ones hold of that. */
  private readonly idleByKey = new BytesByKey();
  private idle = 0;

  constructor(private readonly settings: Settings) {}

  /**
   * Waits until there is memory for a body, which is free again once the answer has ended. A response may need several.
   * @param owner name of the caller's key; undefined for an operator
   * @returns undefined if it need not wait
   * @throws TooManyRequestsError after `POOL_ACQUIRE_TIMEOUT_MS`
   */
  waitForRoom(bytes: number, response: ServerResponse, owner?: string): Promise<void> | undefined {
    if (bytes < ADMITTED_AT_ONCE_BYTES) {
      return undefined;
    }
    if (response.closed) {
      return Promise.reject(callerLeft());
    }
    const body = { bytes, owner, held: this.holds.get(response)?.bytes ?? 0 };
    if (body.held > 0 || !this.isNext() || !this.hasShare(body) || !this.hasRoom(body)) {
      return this.wait(body, response);
    }
    this.hold(body, response);
    return undefined;
  }

  /**
   * Keeps the room of a response's bodies beyond its end, for work that goes on with them.
   * @returns gives it back; to be called once
   */
  keep(response: ServerResponse): () => void {
    const hold = this.holds.get(response);
    if (!hold) {
      return () => undefined;
    }
    if (hold.holders === 0) {
      this.count(hold.owner, hold.bytes);
    }
    hold.holders += 1;
    return () => this.release(hold);
  }

  /** Whether none waits that has its turn first. */
  private isNext(): boolean {
    return ![...this.growing, ...this.waiting].some((other) => this.hasShare(other));
  }

  private wait(body: LargeBody, response: ServerResponse): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = body.held > 0 ? this.growing : this.waiting;
    const leave = (): void => {
      clearTimeout(timer);
      response.off('close', onClose);
      queue.delete(waiting);
      this.countIdle(body.owner, -body.held);
    };
    const refuse = (error: Error): void => {
      leave();
      reject(error);
      // A smaller one behind it may have room.
      this.admitWaiting();
    };
    const onClose = (): void => refuse(callerLeft());
    const timer = setTimeout(() => refuse(busy()), this.settings.POOL_ACQUIRE_TIMEOUT_MS);
    const waiting: WaitingBody = {
      ...body,
      admit: () => {
        leave();
        this.hold(body, response);
        resolve();
      },
    };
    queue.add(waiting);
    this.countIdle(body.owner, body.held);
    // Before what it holds is given back, which might admit it.
    response.prependOnceListener('close', onClose);
    this.admitWaiting();
    return promise;
  }

  private countIdle(owner: string | undefined, bytes: number): void {
    this.idle += bytes;
    this.idleByKey.add(owner, bytes);
  }

  private hold({ bytes, owner }: LargeBody, response: ServerResponse): void {
    this.count(owner, bytes);
    const held = this.holds.get(response);
    if (held) {
      held.bytes += bytes;
      return;
    }
    const hold = { owner, bytes, holders: 1 };
    this.holds.set(response, hold);
    response.on('close', () => this.release(hold));
  }

  private release(hold: Hold): void {
    hold.holders -= 1;
    if (hold.holders === 0) {
      this.count(hold.owner, -hold.bytes);
      this.admitWaiting();
    }
  }

  private count(owner: string | undefined, bytes: number): void {
    this.admitted += bytes;
    this.byKey.add(owner, bytes);
  }

  private admitWaiting(): void {
    for (const body of [...this.growing, ...this.waiting]) {
      if (!this.hasShare(body)) {
        continue;
      }
      if (!this.hasRoom(body)) {
        return;
      }
      body.admit();
    }
  }

  private hasShare({ bytes, owner, held }: LargeBody): boolean {
    const ofKey = this.byKey.of(owner);
    return (
      ofKey === (held > 0 ? this.idleByKey.of(owner) : 0) || ofKey + bytes <= this.limitBytes * KEY_SHARE
    );
  }

  private hasRoom({ bytes, held }: LargeBody): boolean {
    return this.admitted === (held > 0 ? this.idle : 0) || this.admitted + bytes <= this.limitBytes;
  }
}

function busy(): TooManyRequestsError {
  return new TooManyRequestsError('Too many large requests are being answered at this moment.', 1000, {
    reason: 'gateway_busy',
  });
}

/** The error of a request whose caller has left before its body was there. */
export function callerLeft(): InvalidRequestError {
  return new InvalidRequestError('The request ended before its body was complete.');
}
