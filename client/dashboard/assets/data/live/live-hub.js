import { BEAT_MS, GONE_MS } from './beat.js';
import { LiveChannel } from './live-channel.js';

/**
 * Tells all tabs of a browser what goes on in the gateway. Tabs with the same key share a stream; none is told anything that
 * was asked for with another key.
 *
 * A tab says `{ type: 'hello', key, ...Wish }` when it is shown, when its key or its wish changes, and every `BEAT_MS`;
 * `{ type: 'retry' }` if it knows that the gateway is back; `{ type: 'hurry' }` when it has changed something;
 * `{ type: 'bye' }` when it is hidden or closed.
 * Each hello is answered by the `state` of the stream, or by `heard` where no records are wanted. Besides, it is told
 * `records` and what `StatusAnswer` describes.
 */
export class LiveHub {
  /** @type {Map<string | null, LiveChannel>} */
  #channels = new Map();
  /** @type {Map<MessagePort, { key: string | null, heardAt: number }>} */
  #tabs = new Map();
  #watch;

  /** @param {MessagePort} port of a tab */
  join(port) {
    port.onmessage = ({ data }) => this.#take(port, data);
  }

  #take(port, { type, key, ...wish }) {
    if (type === 'hello') {
      this.#greet(port, key, wish);
    } else if (type === 'bye') {
      this.#drop(port);
    } else if (type === 'retry') {
      this.#channelOf(port)?.retry();
    } else if (type === 'hurry') {
      this.#channelOf(port)?.hurry();
    }
  }

  #greet(port, key, wish) {
    const tab = this.#tabs.get(port);
    if (tab && tab.key !== key) {
      this.#drop(port);
    }
    this.#tabs.set(port, { key, heardAt: performance.now() });
    const channel = this.#channels.get(key) ?? new LiveChannel(key);
    this.#channels.set(key, channel);
    channel.take(port, wish);
    this.#watch ??= setInterval(() => this.#dropSilent(), BEAT_MS);
  }

  #channelOf(port) {
    const tab = this.#tabs.get(port);
    return tab && this.#channels.get(tab.key);
  }

  #drop(port) {
    const tab = this.#tabs.get(port);
    const channel = this.#channelOf(port);
    if (!tab || !channel) {
      return;
    }
    this.#tabs.delete(port);
    channel.drop(port);
    if (channel.isEmpty) {
      this.#channels.delete(tab.key);
    }
    if (this.#tabs.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
  }

  #dropSilent() {
    const now = performance.now();
    for (const [port, { heardAt }] of this.#tabs) {
      if (now - heardAt > GONE_MS) {
        this.#drop(port);
      }
    }
  }
}
