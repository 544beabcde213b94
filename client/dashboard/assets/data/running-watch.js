import { connection } from './connection.js';
import { fetchRunning } from './fetch-record.js';
import { hasStatus } from './filters.js';

const PERIOD_MS = 1500;

/** Fetches the running ones of some records again and again: the stream tells of the beginning and the end alone. */
export class RunningWatch {
  #kind;
  #onFound;
  #records = [];
  #timer;

  /** @param {'request' | 'network'} kind @param {(record: any) => void} onFound called with each as it is now */
  constructor(kind, onFound) {
    this.#kind = kind;
    this.#onFound = onFound;
  }

  /** @param {readonly any[]} records in place of those watched before */
  watch(records) {
    this.#records = records;
    if (this.#timer === undefined && records.some((record) => hasStatus(record, 'pending'))) {
      this.#timer = setTimeout(() => void this.#lookAgain(), PERIOD_MS);
    }
  }

  /** Fetches the running ones among other records, once. */
  async look(records) {
    const found = await fetchRunning(this.#kind, records);
    found.forEach((record) => this.#onFound(record));
  }

  async #lookAgain() {
    if (!document.hidden && !connection.isDown) {
      await this.look(this.#records);
    }
    this.#timer = undefined;
    this.watch(this.#records);
  }
}
