import { authorization } from '../key/authorization.js';

/** Polling interval while something changes. */
const PERIOD_MS = 1000;
/** Longest one while each answer is like the one before. */
const CALM_PERIOD_MS = 3000;
/** Longest one while the gateway is away. */
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

/**
 * Reads `/dashboard/api/status` with one key again and again until it is stopped or the key is refused, or a caller's: the
 * more seldom, the longer nothing has changed.
 */
export class StatusPoll {
  #key;
  #onAnswer;
  #isOn = false;
  #asking;
  /** Undefined unless it waits. */
  #timer;
  #backOffMs = PERIOD_MS;
  #answeredAt = -Infinity;
  #changedAt = 0;
  #lastText;

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

  /**
   * Asks now, unless an answer is under way, or soon after the last one: a page whose own requests fail takes each answer
   * for the gateway's return. Does nothing before `start`.
   */
  retry() {
    this.#changedAt = performance.now();
    if (!this.#isOn || this.#asking) {
      return;
    }
    if (this.#changedAt - this.#answeredAt < PERIOD_MS) {
      this.#backOffMs = PERIOD_MS;
      this.#wait();
    } else {
      void this.#ask();
    }
  }

  /** Does not wait longer than the shortest interval, since something has happened. */
  hurry() {
    this.#changedAt = performance.now();
    if (this.#timer !== undefined) {
      this.#wait();
    }
  }

  stop() {
    this.#rest();
    this.#isOn = false;
    this.#asking?.abort();
    this.#asking = undefined;
  }

  #rest() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait() {
    this.#rest();
    const calmMs = Math.min((performance.now() - this.#changedAt) / 2, CALM_PERIOD_MS);
    const untilMs = this.#answeredAt + Math.max(this.#backOffMs, calmMs);
    this.#timer = setTimeout(() => void this.#ask(), untilMs - performance.now());
  }

  async #ask() {
    const asking = (this.#asking = new AbortController());
    this.#rest();
    const answer = await this.#read(AbortSignal.any([asking.signal, AbortSignal.timeout(TIMEOUT_MS)]));
    if (this.#asking !== asking) {
      return;
    }
    this.#asking = undefined;
    this.#answeredAt = performance.now();
    const text = JSON.stringify(answer.status);
    if (text !== this.#lastText) {
      this.#lastText = text;
      this.#changedAt = this.#answeredAt;
    }
    this.#backOffMs = answer.type === 'lost' ? Math.min(2 * this.#backOffMs, LONGEST_WAIT_MS) : PERIOD_MS;
    if (answer.type !== 'locked' && answer.type !== 'forbidden') {
      this.#wait();
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
