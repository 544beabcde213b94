import { connection } from '../connection.js';
import { fetchRunning, fetchStillRunning } from '../fetch-record.js';
import { hasStatus } from '../filters.js';

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
      this.#timer = setTimeout(() => void this.#look(), PERIOD_MS);
    }
  }

  /** Fetches what has become of the running ones among other records. */
  async catchUp(records) {
    const found = await fetchRunning(this.#kind, records);
    found.forEach((record) => this.#onFound(record));
  }

  async #look() {
    if (!document.hidden && !connection.isDown) {
      const found = await fetchStillRunning(this.#kind, this.#records);
      found.forEach((record) => this.#onFound(record));
    }
    this.#timer = undefined;
    this.watch(this.#records);
  }
}
