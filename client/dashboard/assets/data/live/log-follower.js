import { eventBatches } from '../event-stream.js';
import { authorization } from '../key/authorization.js';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;
/** Read timeout. The stream has heartbeats, so a longer silence means a dead connection. */
const SILENCE_MS = 60_000;

/**
 * Follows `/log/stream` with one key until it is stopped, and resumes after interruptions. Uses `fetch` instead of
 * `EventSource`, so that the key is sent in a header.
 */
export class LogFollower {
  /** @type {'off' | 'connecting' | 'live' | 'waiting' | 'locked'} */
  state = 'off';

  #key;
  #onState;
  #onRecords;
  #kind;
  #lastId;
  #stop;
  #waitMs = FIRST_WAIT_MS;
  #timer = 0;

  /**
   * @param {{ key: string | null, onState: () => void, onRecords: (records: any[], id: string | undefined) => void }} options
   */
  constructor({ key, onState, onRecords }) {
    this.#key = key;
    this.#onState = onState;
    this.#onRecords = onRecords;
  }

  /**
   * Follows records of this kind from now on. While a stream brings them, nothing happens.
   *
   * @param {'request' | 'network' | 'all'} kind
   * @param {string} [after] id of the last record that was seen elsewhere, from which a first stream goes on
   */
  follow(kind, after) {
    if (this.#kind !== undefined && (this.#kind === 'all' || this.#kind === kind)) {
      return;
    }
    this.#disconnect();
    this.#kind = kind;
    this.#lastId ??= after;
    this.retry();
  }

  /** Connects now, unless there is a connection; does nothing before `follow`. */
  retry() {
    clearTimeout(this.#timer);
    if (this.#kind !== undefined && !this.#stop) {
      this.#stop = new AbortController();
      void this.#run(this.#stop);
    }
  }

  stop() {
    this.#disconnect();
    this.#kind = undefined;
    this.#become('off');
  }

  #disconnect() {
    clearTimeout(this.#timer);
    this.#stop?.abort();
    this.#stop = undefined;
  }

  #become(state) {
    if (this.state !== state) {
      this.state = state;
      this.#onState();
    }
  }

  async #run(stop) {
    this.#become('connecting');
    let isRefused = false;
    try {
      isRefused = await this.#read(stop);
    } catch {
      // The connection broke: the next one goes on behind the last record.
    }
    if (this.#stop !== stop) {
      return;
    }
    this.#stop = undefined;
    if (isRefused) {
      this.#become('locked');
      return;
    }
    this.#become('waiting');
    this.#timer = setTimeout(() => this.retry(), this.#waitMs * (0.75 + Math.random() / 2));
    this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
  }

  /** Reads one stream to its end. @returns {Promise<boolean>} whether the key was refused */
  async #read(stop) {
    const within = (wait) => {
      const silence = setTimeout(() => stop.abort(), SILENCE_MS);
      return wait.finally(() => clearTimeout(silence));
    };
    const response = await within(
      fetch(`/log/stream?kind=${this.#kind}&content=0`, {
        cache: 'no-store',
        signal: stop.signal,
        headers: {
          ...authorization(this.#key),
          ...(this.#lastId === undefined ? {} : { 'Last-Event-ID': this.#lastId }),
        },
      }),
    );
    if (!response.ok) {
      return response.status === 401;
    }
    stop.signal.throwIfAborted();
    this.#become('live');
    for await (const events of eventBatches(response, within)) {
      this.#waitMs = FIRST_WAIT_MS;
      this.#take(events);
    }
    return false;
  }

  /** Hands on together what came together: drawing costs much more than taking records in. */
  #take(events) {
    this.#lastId = events.at(-1)?.id ?? this.#lastId;
    const records = events.flatMap(({ data }) => {
      try {
        return [JSON.parse(data)];
      } catch {
        return [];
      }
    });
    if (records.length > 0) {
      this.#onRecords(records, this.#lastId);
    }
  }
}
