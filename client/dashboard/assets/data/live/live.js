import { getJson, OWN_KEY } from '../api.js';
import { connection } from '../connection.js';
import { keyChanges, storedKey } from '../key/key-store.js';
import { noteServerTime } from '../server-clock.js';
import { BEAT_MS, GONE_MS } from './beat.js';

/**
 * Events of the gateway while this tab is visible, over a connection that all tabs of the browser share: browsers have
 * six for a host. Dispatches `state` of the stream, `records`, and `status`, each with its `detail`; `unknown` or `forbidden`
 * in place of a status; `locked` once the key is
 * missing and the person declined to give it.
 */
class Live extends EventTarget {
  /** Of the stream: at each `live`, records before it must be fetched. @type {'connecting' | 'live' | 'waiting' | 'off' | 'locked'} */
  state = 'off';

  /** @type {import('./live-channel.js').Wish} */
  #wish = { wantsStatus: false };
  /** @type {MessagePort | undefined} */
  #port;
  #heardAt = 0;
  #isAlone = typeof SharedWorker === 'undefined';
  #isUnlocking = false;
  #beat;

  /** Follows the records of a kind. @param {'request' | 'network'} kind */
  follow(kind) {
    this.#wish.kind = kind;
    this.#start();
  }

  /** Follows the state of the gateway. */
  watchStatus() {
    this.#wish.wantsStatus = true;
    this.#start();
  }

  /** Asks for what is known now, and connects again at once if the connection is lost. */
  retry() {
    this.#port?.postMessage({ type: 'retry' });
  }

  #start() {
    if (this.#beat === undefined) {
      document.addEventListener('visibilitychange', () => (document.hidden ? this.#leave() : this.#greet()));
      window.addEventListener('pagehide', () => this.#leave());
      window.addEventListener('pageshow', (event) => event.persisted && this.#greet());
      connection.addEventListener('up', () => this.retry());
      connection.addEventListener('changed', () => this.#port?.postMessage({ type: 'hurry' }));
      keyChanges.addEventListener('change', () => this.#greet());
      this.#beat = setInterval(() => this.#sayAlive(), BEAT_MS);
    }
    this.#greet();
  }

  #greet() {
    if (!document.hidden) {
      this.#heardAt ||= performance.now();
      this.#port ??= this.#isAlone ? this.#portOfTab() : this.#portOfAll();
      this.#port.postMessage({ type: 'hello', key: storedKey(), ...this.#wish });
    }
  }

  #leave() {
    this.#heardAt = 0;
    this.#port?.postMessage({ type: 'bye' });
    this.#become('off');
  }

  /** Every hello is answered, so what says nothing is gone, or never came. */
  #sayAlive() {
    if (this.#heardAt > 0 && performance.now() - this.#heardAt > GONE_MS) {
      this.#standAlone();
    } else {
      this.#greet();
    }
  }

  #portOfAll() {
    try {
      const worker = new SharedWorker(document.body.dataset.liveWorker, { type: 'module' });
      worker.onerror = () => !this.#isAlone && this.#standAlone();
      return this.#listenTo(worker.port);
    } catch {
      this.#isAlone = true;
      return this.#portOfTab();
    }
  }

  /** In a browser without such workers each tab has its own connection. */
  #portOfTab() {
    const { port1, port2 } = new MessageChannel();
    void import('./live-hub.js').then(({ LiveHub }) => new LiveHub().join(port2));
    return this.#listenTo(port1);
  }

  /** Begins with a connection of its own, or with another one. */
  #standAlone() {
    this.#isAlone = true;
    this.#port?.postMessage({ type: 'bye' });
    this.#port = undefined;
    this.#become('off');
    this.#heardAt = 0;
    this.#greet();
  }

  #listenTo(port) {
    port.onmessage = ({ data }) => port === this.#port && this.#hear(data);
    return port;
  }

  #hear({ type, ...detail }) {
    if (this.#heardAt === 0) {
      return;
    }
    this.#heardAt = performance.now();
    if (type === 'state') {
      this.#become(detail.state);
    } else if (type === 'records') {
      this.#wish.after = detail.id;
      this.#tell('records', detail.records);
    } else if (type === 'status') {
      noteServerTime(detail.date);
      connection.works();
      this.#tell('status', detail.status);
    } else if (type === 'lost') {
      connection.lost();
    } else if (type === 'unknown' || type === 'forbidden') {
      this.#tell(type);
    } else if (type === 'locked') {
      void this.#unlock();
    }
  }

  #become(state) {
    if (this.state !== state) {
      this.state = state;
      this.#tell('state', state);
      if (state === 'locked') {
        void this.#unlock();
      }
    }
  }

  /** Asks for the key by a request that needs it. */
  async #unlock() {
    if (this.#isUnlocking) {
      return;
    }
    this.#isUnlocking = true;
    try {
      await getJson(OWN_KEY);
      this.retry();
    } catch (error) {
      if (error.status === 401) {
        this.#tell('locked');
      }
    } finally {
      this.#isUnlocking = false;
    }
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

export const live = new Live();
