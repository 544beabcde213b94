import { openStream } from './api.js';
import { connection } from './connection.js';
import { EventStreamReader } from './event-stream.js';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;
/** Read timeout. The stream has heartbeats, so a longer silence means a dead connection. */
const SILENCE_MS = 60_000;

/**
 * Follows `/log/stream` while the page is visible, and resumes after interruptions. Uses `fetch` instead of `EventSource`,
 * so that the key is sent in a header.
 */
export class LiveFeed {
  #query;
  #onEntry;
  #onOpen;
  #onState;
  #lastId;
  #stop;
  #waitMs = FIRST_WAIT_MS;
  #timer = 0;

  /**
   * @param {{ query: string, onEntry: (entry: any) => void, onOpen?: () => void,
   *   onState?: (state: 'connecting' | 'live' | 'waiting' | 'off' | 'locked') => void }} options `onOpen` is called at
   *   each connection: earlier entries must be fetched after it
   */
  constructor({ query, onEntry, onOpen = () => {}, onState = () => {} }) {
    this.#query = query;
    this.#onEntry = onEntry;
    this.#onOpen = onOpen;
    this.#onState = onState;
  }

  start() {
    // Browsers limit the connections per host: background tabs must not hold one.
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#close() : this.#connect()));
    connection.addEventListener('up', () => this.#connect());
    window.addEventListener('pagehide', () => this.#close());
    window.addEventListener('pageshow', (event) => event.persisted && this.#connect());
    this.#connect();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#stop?.abort();
    this.#stop = undefined;
    this.#onState('off');
  }

  #connect() {
    clearTimeout(this.#timer);
    if (!this.#stop && !document.hidden) {
      this.#stop = new AbortController();
      void this.#run(this.#stop);
    }
  }

  async #run(stop) {
    this.#onState('connecting');
    try {
      await this.#read(stop);
    } catch (error) {
      if (error.status === 401) {
        this.#stop = undefined;
        this.#onState('locked');
        return;
      }
    }
    if (this.#stop === stop) {
      this.#stop = undefined;
      this.#onState('waiting');
      this.#timer = setTimeout(() => this.#connect(), this.#waitMs * (0.75 + Math.random() / 2));
      this.#waitMs = Math.min(2 * this.#waitMs, LONGEST_WAIT_MS);
    }
  }

  async #read(stop) {
    const resume = this.#lastId === undefined ? {} : { 'Last-Event-ID': this.#lastId };
    const within = (wait) => {
      const silence = setTimeout(() => stop.abort(), SILENCE_MS);
      return wait.finally(() => clearTimeout(silence));
    };
    const response = await within(openStream(`/log/stream?${this.#query}`, resume, stop.signal));
    this.#onState('live');
    this.#onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const events = new EventStreamReader();
    for (;;) {
      const { value, done } = await within(reader.read());
      if (done) {
        return;
      }
      this.#waitMs = FIRST_WAIT_MS;
      events.read(value).forEach((event) => this.#take(event));
    }
  }

  #take({ data, id }) {
    this.#lastId = id ?? this.#lastId;
    let entry;
    try {
      entry = JSON.parse(data);
    } catch {
      return;
    }
    this.#onEntry(entry);
  }
}
