import { openStream, send } from '../api.js';
import { eventBatches } from '../event-stream.js';
import { takeBatch } from './batch.js';

/** Interval for a batch of a person's inputs. */
const BATCH_MS = 30;
/** Most inputs of one request; of a longer path of the mouse the oldest places are left out. */
const MAX_INPUTS = 100;

/** A login by hand: follows the pictures of the page, and sends what the person does in it, in order. */
export class HandOver {
  #path;
  #onEvent;
  #stop = new AbortController();
  #id;
  #queue = [];
  #timer = 0;
  #isSending = false;

  /**
   * @param {string} accountId
   * @param {(event: any) => void} onEvent called with each event but the last, and with one of the type `lost` for what
   *   the person did in vain
   */
  constructor(accountId, onEvent) {
    this.#path = `/dashboard/api/accounts/${encodeURIComponent(accountId)}/hand-over`;
    this.#onEvent = onEvent;
  }

  /**
   * Begins, and resolves with the last event. Rejects with an `ApiError`, or if `leave` was called.
   *
   * @returns {Promise<{ outcome: string, message?: string }>}
   */
  async run() {
    const response = await openStream(this.#path, {}, this.#stop.signal, 'POST');
    for await (const events of eventBatches(response)) {
      for (const { data } of events) {
        const event = JSON.parse(data);
        if (event.type === 'ended') {
          this.leave();
          return event;
        }
        this.#id = event.handOver ?? this.#id;
        this.#onEvent(event);
      }
    }
    return { outcome: 'failed', message: 'The connection to the gateway was lost.' };
  }

  /** Ends it. */
  leave() {
    clearTimeout(this.#timer);
    this.#queue = [];
    this.#stop.abort();
  }

  /** @param {object} input as the gateway's `PageInput` */
  act(input) {
    if (this.#stop.signal.aborted || this.#id === undefined) {
      return;
    }
    this.#queue.push(input);
    this.#schedule();
  }

  #schedule() {
    if (!this.#isSending && this.#timer === 0 && this.#queue.length > 0) {
      this.#timer = setTimeout(() => void this.#flush(), BATCH_MS);
    }
  }

  async #flush() {
    this.#timer = 0;
    this.#isSending = true;
    const inputs = takeBatch(this.#queue, MAX_INPUTS);
    try {
      await send('POST', `${this.#path}/input`, { handOver: this.#id, inputs });
    } catch (error) {
      // At the end the stream tells why.
      if (!this.#stop.signal.aborted) {
        this.#onEvent({ type: 'lost', message: error.message });
      }
    }
    this.#isSending = false;
    this.#schedule();
  }
}
