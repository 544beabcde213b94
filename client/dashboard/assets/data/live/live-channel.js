import { LogFollower } from './log-follower.js';
import { StatusPoll } from './status-poll.js';

/**
 * Subscription of a tab.
 *
 * @typedef {{ kind?: 'request' | 'network', after?: string, wantsStatus: boolean }} Wish `kind`: of records; `after`: id of the
 *   last one that it has
 */

/** All that tabs with the same key are told: one stream and one poll, which end with the last of them. */
export class LiveChannel {
  /** @type {Map<MessagePort, Wish>} */
  #tabs = new Map();
  #follower;
  #poll;
  /** @type {import('./status-poll.js').StatusAnswer | undefined} */
  #lastStatus;

  /** @param {string | null} key null for none */
  constructor(key) {
    this.#follower = new LogFollower({
      key,
      onState: () => {
        this.hurry();
        this.#tell(this.#state, ({ kind }) => kind !== undefined);
      },
      onRecords: (records, id) => {
        this.hurry();
        this.#hand(records, id);
      },
    });
    this.#poll = new StatusPoll({
      key,
      onAnswer: (answer) => {
        this.#lastStatus = answer;
        this.#tell(answer, ({ wantsStatus }) => wantsStatus);
      },
    });
  }

  get isEmpty() {
    return this.#tabs.size === 0;
  }

  /** Takes a tab in, or its other wish. @param {MessagePort} port @param {Wish} wish */
  take(port, wish) {
    const before = this.#tabs.get(port);
    this.#tabs.set(port, wish);
    this.#serve(wish.after);
    port.postMessage(wish.kind === undefined ? { type: 'heard' } : this.#state);
    if (!before) {
      this.retry();
    }
    if (wish.wantsStatus && !before?.wantsStatus && this.#lastStatus) {
      port.postMessage(this.#lastStatus);
    }
  }

  /** @param {MessagePort} port */
  drop(port) {
    this.#tabs.delete(port);
    this.#serve();
  }

  /** Tries again what waits or was refused. */
  retry() {
    this.#follower.retry();
    this.#poll.retry();
  }

  /** Asks for the state soon. */
  hurry() {
    this.#poll.hurry();
  }

  get #state() {
    return { type: 'state', state: this.#follower.state };
  }

  #serve(after) {
    const wishes = [...this.#tabs.values()];
    const [kind, other] = new Set(wishes.map((wish) => wish.kind).filter((name) => name !== undefined));
    if (kind === undefined) {
      this.#follower.stop();
    } else {
      this.#follower.follow(other === undefined ? kind : 'all', after);
    }
    if (wishes.some(({ wantsStatus }) => wantsStatus)) {
      this.#poll.start();
    } else {
      this.#poll.stop();
      this.#lastStatus = undefined;
    }
  }

  #hand(records, id) {
    for (const name of new Set(records.map(({ kind }) => kind))) {
      const some = records.filter(({ kind }) => kind === name);
      this.#tell({ type: 'records', records: some, id }, ({ kind }) => kind === name);
    }
  }

  #tell(message, isFor) {
    for (const [port, wish] of this.#tabs) {
      if (isFor(wish)) {
        port.postMessage(message);
      }
    }
  }
}
