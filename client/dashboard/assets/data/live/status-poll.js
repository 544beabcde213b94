import { authorization } from '../key/authorization.js';

/** Polling interval: a problem shows within one second; the answer has a few hundred bytes. */
const PERIOD_MS = 1000;
const LONGEST_WAIT_MS = 15_000;
const TIMEOUT_MS = 20_000;
/** @type {StatusAnswer} */
const UNKNOWN = { type: 'unknown' };

/**
 * The last answer about the state of the gateway.
 *
 * @typedef {{ type: 'status', status: any, date: string | null } | { type: 'lost' } | { type: 'locked' } | { type: 'forbidden' } | { type: 'unknown' }} StatusAnswer
 *   `date`: the gateway's clock; `lost`: there was no answer; `locked`: the key was refused; `forbidden`: it is a caller's;
 *   `unknown`: the answer said nothing
 */

/** Reads `/dashboard/api/status` with one key again and again until it is stopped or the key is refused, or a caller's. */
export class StatusPoll {
  #key;
  #onAnswer;
  #isOn = false;
  #asking;
  #timer = 0;
  #waitMs = PERIOD_MS;

  /** @param {{ key: string | null, onAnswer: (answer: StatusAnswer) => void }} options */
  constructor({ key, onAnswer }) {
    this.#key = key;
    this.#onAnswer = onAnswer;
  }

  start() {
    if (!this.#isOn) {
      this.#isOn = true;
      this.retry();
    }
  }

  /** Asks now, unless an answer is under way; does nothing before `start`. */
  retry() {
    clearTimeout(this.#timer);
    if (this.#isOn && !this.#asking) {
      this.#asking = new AbortController();
      void this.#ask(this.#asking);
    }
  }

  stop() {
    clearTimeout(this.#timer);
    this.#isOn = false;
    this.#asking?.abort();
    this.#asking = undefined;
  }

  async #ask(asking) {
    const answer = await this.#read(AbortSignal.any([asking.signal, AbortSignal.timeout(TIMEOUT_MS)]));
    if (this.#asking !== asking) {
      return;
    }
    this.#asking = undefined;
    this.#waitMs = answer.type === 'lost' ? Math.min(2 * this.#waitMs, LONGEST_WAIT_MS) : PERIOD_MS;
    if (answer.type !== 'locked' && answer.type !== 'forbidden') {
      this.#timer = setTimeout(() => this.retry(), this.#waitMs);
    }
    this.#onAnswer(answer);
  }

  /** @returns {Promise<StatusAnswer>} `unknown` for an answer that says nothing, such as that of a proxy */
  async #read(signal) {
    let response;
    try {
      response = await fetch('/dashboard/api/status', {
        cache: 'no-store',
        headers: authorization(this.#key),
        signal,
      });
    } catch {
      return { type: 'lost' };
    }
    if (response.status === 401) {
      return { type: 'locked' };
    }
    if (response.status === 403) {
      return { type: 'forbidden' };
    }
    try {
      const status = await response.json();
      return response.ok ? { type: 'status', status, date: response.headers.get('date') } : UNKNOWN;
    } catch {
      return UNKNOWN;
    }
  }
}
